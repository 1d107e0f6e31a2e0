import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  // For what is made as if it had been accepted long ago.
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

/** A delivery that has been pending for so many days, as if it had been accepted then. @returns its id */
async function pendingFor(days: number, payment = 'payment'): Promise<string> {
  return age(await recipient.accept(payment), days);
}

/** As if the delivery had been accepted then. @returns its id of that time */
async function age(delivery: string, days: number): Promise<string> {
  const id = uuidv7({ msecs: daysAgo(days).getTime() });
  await sql`update pending_deliveries set id = ${id}, pending_since = ${daysAgo(days)}, created_at = ${daysAgo(days)}
      where id = ${delivery}`.execute(dispatcher.db);
  return id;
}

const pendingSince = (id: string, days: number): Promise<unknown> =>
  sql`update pending_deliveries set pending_since = ${daysAgo(days)} where id = ${id}`.execute(dispatcher.db);

/** Pauses it as of then and resumes it now. */
async function wasPaused(sinceDays: number): Promise<void> {
  await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
  await sql`update consumers set paused_at = ${daysAgo(sinceDays)} where id = ${recipient.id}`.execute(
    dispatcher.db,
  );
  await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
}

const expired = async (limit = 100): Promise<string[]> =>
  (await expirePending(dispatcher.db, new Date(), limit)).map(({ deliveryId }) => deliveryId);

describe('a delivery that is pending for too long', () => {
  it('is dead after 14 days, says why, and the next of its payment goes', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    const old = await age(first, 14.01);
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

  it('lives before that', async () => {
    const id = await pendingFor(13.99);
    expect([await expired(), await stateOf(dispatcher, id)]).toEqual([[], 'queued']);
  });

  it('is dead however often it was tried', async () => {
    const id = await pendingFor(14.01);
    await attempt(dispatcher.pipeline, id, { retryInMs: 3_600_000, spendsAttempt: true });
    expect(await expired()).toEqual([id]);
  });

  it('is ended a limited number at a time, until none is left', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push(await pendingFor(20, `payment-${String(index)}`));
    const [one, other, rest] = [await expired(2), await expired(2), await expired(2)];
    expect([one.length, other.length, rest.length]).toEqual([2, 2, 1]);
    expect([...one, ...other, ...rest].toSorted()).toEqual(ids.toSorted());
    expect(await expired(2)).toEqual([]);
  });

  it('has its days anew after a replay, and not after a retry', async () => {
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
    expect(await expired()).toEqual([retried]);
  });

  it('has its days anew when it was finished and is retried', async () => {
    const id = await pendingFor(14.01);
    expect(await expired()).toEqual([id]);
    await retryDelivery(dispatcher.db, id, { force: false }, AUDIT);
    expect([await expired(), await stateOf(dispatcher, id)]).toEqual([[], 'queued']);
  });

  it('waits while its consumer is paused, and the time of a pause does not count', async () => {
    const id = await pendingFor(40);
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    expect(await expired()).toEqual([]);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);

    await pendingSince(id, 18);
    await wasPaused(5);
    expect(await expired()).toEqual([]);
    await pendingSince(id, 20);
    expect(await expired()).toEqual([id]);
  });

  it('waits while nothing is sent to anybody', async () => {
    const id = await pendingFor(40);
    await pauseSending(dispatcher.db, 'an incident', AUDIT);
    expect(await expired()).toEqual([]);
    await resumeSending(dispatcher.db, AUDIT);
    expect(await expired()).toEqual([id]);
  });

  it('waits while the credentials of its consumer cannot be decrypted', async () => {
    await pendingFor(40);
    await noteSecretFault(dispatcher.db, recipient.id, 'no key k9');
    expect(await expired()).toEqual([]);
  });

  it('is not charged with an outage of ours, nor twice with what overlaps it', async () => {
    const id = await pendingFor(18);
    await dispatcher.app.get(SchedulesRepository, { strict: false }).noteOutage(daysAgo(10), daysAgo(5));
    expect(await expired()).toEqual([]);
    await sql`
      insert into excluded_downtime (consumer_id, cause, began_at, ended_at)
      values (${recipient.id}, 'paused', ${daysAgo(8)}, ${daysAgo(4)})`.execute(dispatcher.db);
    await pendingSince(id, 19.9);
    expect(await expired()).toEqual([]);
    await pendingSince(id, 20.1);
    expect(await expired()).toEqual([id]);
  });
});
