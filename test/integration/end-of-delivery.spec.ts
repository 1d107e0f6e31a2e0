import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Expiry } from '#apps/worker/src/maintenance/expiry';
import { BulkRuns } from '#test/support/bulk-runs';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt } from '#test/support/test-session';
import { AUDIT } from '#test/support/actor';
const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

beforeAll(async () => {
  // The tests make deliveries that look as if they were accepted long ago.
  await ensurePartitions(dispatcher.db, daysAgo(45), 8);
});
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
  (await expirePending(dispatcher.db, new Date(), limit)).ended.map(({ deliveryId }) => deliveryId);

it('a delivery that is pending for 14 days is dead with its reason, and releases the next status', async () => {
  const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
  const old = await backdate(first, 14.01);
  await sql`update pending_deliveries set next_attempt_at = now() + interval '5 minutes' where id = ${second}`.execute(
    dispatcher.db,
  );
  expect((await expirePending(dispatcher.db, new Date(), 100)).ended).toEqual([
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

describe('run of the expiry', () => {
  /** Claims and runs it as a worker does. */
  async function runExpiry(): Promise<{ readonly fault: string | null } | void> {
    const schedules = dispatcher.app.get(SchedulesRepository, { strict: false });
    await sql`update schedules set next_at = now(), running_until = null, run_id = null where name = 'expire'`.execute(
      dispatcher.db,
    );
    const [claimed] = await schedules.claimDue(['expire']);
    if (claimed === undefined) throw new Error('the expiry could not be claimed');
    return dispatcher.app.get(Expiry, { strict: false }).run(claimed);
  }

  const lastRuns = (finished: string, succeeded: string): Promise<unknown> =>
    sql`update schedules set last_finished_at = now() - ${finished}::interval,
               last_succeeded_at = now() - ${succeeded}::interval`.execute(dispatcher.db);

  const outages = async () =>
    (
      await sql<{ minutes: number }>`
        select round(extract(epoch from ended_at - began_at) / 60)::int as minutes from excluded_downtime
        where cause = 'outage' and ended_at <= now()`.execute(dispatcher.db)
    ).rows;

  beforeAll(async () => {
    await dispatcher.app.get(SchedulesRepository, { strict: false }).register(['expire', 'pauses']);
  });

  it('a delivery that PostgreSQL refuses to end does not stop the expiry of the others', async () => {
    const ended = [await pendingFor(20, 'one'), await pendingFor(21, 'other')];
    // There is no partition for its week.
    const refused = await pendingFor(120, 'refused');
    await lastRuns('1 minute', '20 minutes');
    expect(await runExpiry()).toEqual({ fault: expect.stringContaining('1 delivery') });
    expect(await Promise.all(ended.map((id) => stateOf(dispatcher, id)))).toEqual(['dead', 'dead']);
    expect(await stateOf(dispatcher, refused)).toBe('queued');
    expect(await outages()).toEqual([]);
  });

  it('a time in which runs of the expiry failed is not an outage, and one without any run is', async () => {
    await lastRuns('1 minute', '20 minutes');
    await runExpiry();
    expect(await outages()).toEqual([]);
    await lastRuns('20 minutes', '20 minutes');
    await sql`update schedules set last_finished_at = now() - interval '1 minute' where name = 'pauses'`.execute(
      dispatcher.db,
    );
    await runExpiry();
    expect(await outages()).toEqual([]);
    await lastRuns('20 minutes', '30 minutes');
    await runExpiry();
    expect(await outages()).toEqual([{ minutes: 20 }]);
  });
});
