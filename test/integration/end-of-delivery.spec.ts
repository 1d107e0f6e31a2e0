import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  ensurePartitions,
  expirePending,
  noteSecretFault,
  pauseConsumer,
  pauseSending,
  resumeConsumer,
  resumeSending,
  retryDelivery,
  SchedulesRepository,
  type AuditEntry,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { BulkRuns } from '#test/support/bulk-runs';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt } from '#test/support/test-session';

const AUDIT: AuditEntry = { actor: 'test', action: 'test', target: 'test', address: null, details: {} };
const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

let dispatcher: DispatcherInProcess;
let recipient: Recipient;

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
  // The tests make deliveries that look as if they were accepted long ago.
  await ensurePartitions(dispatcher.db, daysAgo(45), 8);
});
afterAll(() => dispatcher.close());
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});
afterEach(async () => {
  await sql`delete from pending_deliveries`.execute(dispatcher.db);
  await sql`delete from excluded_downtime`.execute(dispatcher.db);
});

/** Makes a delivery that was accepted this many days ago and is still pending. @returns its id */
async function pendingFor(days: number, payment = 'payment'): Promise<string> {
  return backdate(await recipient.accept(payment), days);
}

/** Dates the acceptance of a delivery back. @returns its new id, which contains that time */
async function backdate(delivery: string, days: number): Promise<string> {
  const id = uuidv7({ msecs: daysAgo(days).getTime() });
  await sql`update pending_deliveries set id = ${id}, pending_since = ${daysAgo(days)}, created_at = ${daysAgo(days)}
      where id = ${delivery}`.execute(dispatcher.db);
  return id;
}

const setPendingDays = (id: string, days: number): Promise<unknown> =>
  sql`update pending_deliveries set pending_since = ${daysAgo(days)} where id = ${id}`.execute(dispatcher.db);

/** Pauses the consumer as of this many days ago and resumes it now. */
async function pauseUntilNow(sinceDays: number): Promise<void> {
  await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
  await sql`update consumers set paused_at = ${daysAgo(sinceDays)} where id = ${recipient.id}`.execute(
    dispatcher.db,
  );
  await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
}

const expireNow = async (limit = 100): Promise<string[]> =>
  (await expirePending(dispatcher.db, new Date(), limit)).map(({ deliveryId }) => deliveryId);

it('a delivery that is pending for 14 days is dead with its reason, and releases the next status', async () => {
  const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
  const old = await backdate(first, 14.01);
  await sql`update pending_deliveries set next_attempt_at = now() + interval '5 minutes' where id = ${second}`.execute(
    dispatcher.db,
  );
  expect(await expirePending(dispatcher.db, new Date(), 100)).toEqual([
    { deliveryId: old, consumerId: recipient.id },
  ]);
  const { rows } = await sql`
    select p.next_attempt_at <= now() as due from pending_deliveries p where id = ${second}`.execute(
    dispatcher.db,
  );
  expect([await stateOf(dispatcher, second), rows]).toEqual(['queued', [{ due: true }]]);
  const ended = dispatcher.db.selectFrom('deliveries').selectAll().where('id', '=', old);
  expect(await ended.execute()).toMatchObject([
    { state: 'dead', end_reason: 'pending_too_long', attempts: 0 },
  ]);
});

it('a delivery that is pending for just under 14 days stays queued', async () => {
  const id = await pendingFor(13.99);
  expect([await expireNow(), await stateOf(dispatcher, id)]).toEqual([[], 'queued']);
});

it('a delivery that is pending for 14 days is dead even after an attempt', async () => {
  const id = await pendingFor(14.01);
  await attempt(dispatcher.pipeline, id, { retryInMs: 3_600_000, spendsAttempt: true });
  expect(await expireNow()).toEqual([id]);
});

it('each expiry ends at most the given number of deliveries, until none is left', async () => {
  const ids = [];
  for (let index = 0; index < 5; index += 1) ids.push(await pendingFor(20, `payment-${String(index)}`));
  const [one, other, rest] = [await expireNow(2), await expireNow(2), await expireNow(2)];
  expect([one.length, other.length, rest.length]).toEqual([2, 2, 1]);
  expect([...one, ...other, ...rest].toSorted()).toEqual(ids.toSorted());
  expect(await expireNow(2)).toEqual([]);
});

it('a replay restarts the 14 days of a pending delivery, and a retry does not', async () => {
  const [retried, replayed] = [await pendingFor(14.01, 'one'), await pendingFor(14.01, 'other')];
  const { event_id: notificationId } = await dispatcher.db
    .selectFrom('pending_deliveries')
    .select('event_id')
    .where('id', '=', replayed)
    .executeTakeFirstOrThrow();
  await sql`update events set delivery_ids = array[${replayed}::uuid] where id = ${notificationId}`.execute(
    dispatcher.db,
  );
  expect(await new BulkRuns(dispatcher).run('replay', { notificationId })).toMatchObject({ changed: 1 });
  expect(await retryDelivery(dispatcher.db, retried, { force: false }, AUDIT)).toMatchObject({
    kind: 'done',
  });
  expect(await expireNow()).toEqual([retried]);
});

it('a retry restarts the 14 days of a finished delivery', async () => {
  const id = await pendingFor(14.01);
  expect(await expireNow()).toEqual([id]);
  await retryDelivery(dispatcher.db, id, { force: false }, AUDIT);
  expect([await expireNow(), await stateOf(dispatcher, id)]).toEqual([[], 'queued']);
});

it('a delivery does not expire while its consumer is paused, and the pause does not count as pending time', async () => {
  const id = await pendingFor(40);
  await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
  expect(await expireNow()).toEqual([]);
  await resumeConsumer(dispatcher.db, recipient.id, AUDIT);

  await setPendingDays(id, 18);
  await pauseUntilNow(5);
  expect(await expireNow()).toEqual([]);
  await setPendingDays(id, 20);
  expect(await expireNow()).toEqual([id]);
});

it('a delivery does not expire while all sending is paused', async () => {
  const id = await pendingFor(40);
  await pauseSending(dispatcher.db, 'an incident', AUDIT);
  expect(await expireNow()).toEqual([]);
  await resumeSending(dispatcher.db, AUDIT);
  expect(await expireNow()).toEqual([id]);
});

it('a delivery does not expire while the credentials of its consumer cannot be decrypted', async () => {
  await pendingFor(40);
  await noteSecretFault(dispatcher.db, recipient.id, 'no key k9');
  expect(await expireNow()).toEqual([]);
});

it('an outage of the dispatcher extends the 14 days of a delivery, and an overlapping pause counts once', async () => {
  const id = await pendingFor(18);
  await dispatcher.app.get(SchedulesRepository, { strict: false }).noteOutage(daysAgo(10), daysAgo(5));
  expect(await expireNow()).toEqual([]);
  await sql`
    insert into excluded_downtime (consumer_id, cause, began_at, ended_at)
    values (${recipient.id}, 'paused', ${daysAgo(8)}, ${daysAgo(4)})`.execute(dispatcher.db);
  await setPendingDays(id, 19.9);
  expect(await expireNow()).toEqual([]);
  await setPendingDays(id, 20.1);
  expect(await expireNow()).toEqual([id]);
});
