import { describe, expect, it } from 'vitest';
import {
  dropOldPartitions,
  ensurePartitions,
  firstIdAt,
  openDatabase,
  retryDelivery,
  trimIdempotencyKeys,
} from '#libs/database';
import { sql } from 'kysely';
import { SendEvent } from '#apps/api/src/resources/events/send-event';
import { ANN, AUDIT } from '#test/support/actor';
import { Recipient } from '#test/support/recipient';
import { SteppedConnection } from '#test/support/stepped-work';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { rowsIn } from '#test/support/rows-in';
import { attempt } from '#test/support/test-session';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const RETENTION_DAYS = 90;

const dispatcher = await startDispatcherInProcess();

/** Moves a delivery and its event to this time. @returns its new id, whose time is `laterMs` after its event's */
async function backdate(delivery: string, at: Date, laterMs = 0): Promise<string> {
  const event = `${firstIdAt(at.getTime()).slice(0, -1)}1`;
  const id = `${firstIdAt(at.getTime() + laterMs).slice(0, -1)}2`;
  const { event_id } = await dispatcher.db
    .selectFrom('pending_deliveries')
    .select('event_id')
    .where('id', '=', delivery)
    .executeTakeFirstOrThrow();
  await sql`update events set id = ${event}, delivery_ids = array[${id}::uuid] where id = ${event_id}`.execute(
    dispatcher.db,
  );
  await sql`update pending_deliveries set id = ${id}, event_id = ${event} where id = ${delivery}`.execute(
    dispatcher.db,
  );
  return id;
}

it('drops all old partitions, except the weeks to which a pending delivery belongs', async () => {
  const now = new Date();
  const [ancient, old] = [new Date(now.getTime() - 300 * DAY_MS), new Date(now.getTime() - 200 * DAY_MS)];
  const ancientOnes = await ensurePartitions(dispatcher.db, ancient, 0);
  const oldOnes = await ensurePartitions(dispatcher.db, old, 0);
  expect([ancientOnes.length, oldOnes.length]).toEqual([6, 6]);
  const recipient = await Recipient.add(dispatcher);
  const pending = await backdate(await recipient.accept('payment'), ancient);
  const before = await rowsIn(dispatcher.db, 'events');

  const emptyBefore = ancientOnes.slice(0, 3);
  expect((await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).toSorted()).toEqual(
    [...emptyBefore, ...oldOnes].toSorted(),
  );
  expect(await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).toEqual([]);
  expect(await rowsIn(dispatcher.db, 'events')).toBe(before);

  // An old pending delivery is still sent.
  await attempt(dispatcher.pipeline, pending, { state: 'delivered' });
  const last = await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
  expect(last.toSorted()).toEqual(ancientOnes.slice(3).toSorted());
  expect(await rowsIn(dispatcher.db, 'events')).toBe(before - 1);
});

it('keeps a week of events while a delivery that was created in the next week is pending', async () => {
  const now = new Date();
  const boundary = Math.floor((now.getTime() - 600 * DAY_MS) / WEEK_MS) * WEEK_MS;
  const partitions = await ensurePartitions(dispatcher.db, new Date(boundary), 0);
  const events = partitions.filter((name) => name.startsWith('events')).toSorted();
  const recipient = await Recipient.add(dispatcher);
  const pending = await backdate(await recipient.accept('payment'), new Date(boundary - 1), 1);
  expect(await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).toEqual([]);
  await attempt(dispatcher.pipeline, pending, { state: 'delivered' });
  expect(await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).toEqual(expect.arrayContaining(events));
});

it('keeps a week of events while a copy that an operator sent much later is pending', async () => {
  const now = new Date();
  const then = new Date(now.getTime() - 700 * DAY_MS);
  const partitions = await ensurePartitions(dispatcher.db, then, 0);
  const recipient = await Recipient.add(dispatcher);
  const first = await backdate(await recipient.accept('payment'), then);
  const { notificationId } = await attempt(dispatcher.pipeline, first, { state: 'delivered' });
  const other = await Recipient.add(dispatcher, { ach_company_ids: [recipient.company] });
  const [copy = ''] = await dispatcher.app
    .get(SendEvent, { strict: false })
    .execute(notificationId, { consumers: [other.id], reason: 'they called' }, ANN);
  const dropped = await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
  expect(dropped).not.toEqual(expect.arrayContaining(partitions.slice(3)));
  expect(await attempt(dispatcher.pipeline, copy, { state: 'delivered' })).toMatchObject({
    body: expect.stringContaining(recipient.company),
  });
  expect(await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).toEqual(
    expect.arrayContaining(partitions.slice(3)),
  );
});

describe('retry of an old delivery', () => {
  async function addDead(daysAgo: number): Promise<{ id: string; partitions: string[]; now: Date }> {
    const now = new Date();
    const then = new Date(now.getTime() - daysAgo * DAY_MS);
    const partitions = (await ensurePartitions(dispatcher.db, then, 0)).slice(3);
    const recipient = await Recipient.add(dispatcher);
    const id = await backdate(await recipient.accept('payment'), then);
    // Drops older weeks; the week of this delivery stays while it is pending.
    await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
    await attempt(dispatcher.pipeline, id);
    return { id, partitions, now };
  }

  it('an uncommitted retry of an old delivery prevents the drop of its week', async () => {
    const { id, partitions, now } = await addDead(400);
    const connection = new SteppedConnection(dispatcher.databaseUrl, dispatcher.db);
    const retrying = connection.begin((db) => retryDelivery(db, id, { force: false }, AUDIT));
    for (let statement = 0; statement < 3; statement += 1) expect(await retrying.advance()).toBe('paused');
    expect(await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).not.toEqual(
      expect.arrayContaining([partitions[0]]),
    );
    expect(await retrying.finish()).toMatchObject({ kind: 'done' });
    await connection.close();
    await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
    expect(await attempt(dispatcher.pipeline, id, { state: 'delivered' })).toMatchObject({ attempts: 1 });
    expect(await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS)).toEqual(
      expect.arrayContaining(partitions),
    );
  });

  it('drops the event of an old delivery first, and then refuses to retry the delivery', async () => {
    const { id, partitions, now } = await addDead(500);
    // A transaction that has read the deliveries blocks the drop of their partition.
    await dispatcher.db.transaction().execute(async (reader) => {
      await sql`select from deliveries where id = ${id}`.execute(reader);
      const dropped = await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
      expect(dropped.filter((name) => partitions.includes(name))).toEqual(
        partitions.filter((name) => name.startsWith('events')),
      );
    });
    expect(await retryDelivery(dispatcher.db, id, { force: true }, AUDIT)).toEqual({ kind: 'event_gone' });
    await dropOldPartitions(dispatcher.db, now, RETENTION_DAYS);
    expect(await retryDelivery(dispatcher.db, id, { force: true }, AUDIT)).toEqual({ kind: 'unknown' });
  });
});

it('looks for lapsed idempotency keys without reading the table when new keys have the room of removed ones', async () => {
  // One connection: it reports what it has read before the next statement.
  const db = openDatabase({ url: dispatcher.databaseUrl, poolSize: 1 });
  const KEYS = 5_000;
  const insert = (age: string) =>
    sql`
    insert into idempotency_keys (producer, key_hash, content_hash, notification_id, created_at)
    select 'hub', uuid_send(gen_random_uuid()), '', gen_random_uuid(), now() - ${age}::interval
    from generate_series(1, ${KEYS})`.execute(db);
  const pagesRead = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ pages: number }>`
      select (heap_blks_hit + heap_blks_read)::int as pages from pg_statio_user_tables
      where relname = 'idempotency_keys'`.execute(db);
    return rows[0]?.pages ?? Number.NaN;
  };
  await insert('8 days');
  expect(await trimIdempotencyKeys(db, new Date(), KEYS)).toBe(KEYS);
  await sql`vacuum idempotency_keys`.execute(db);
  await insert('1 hour');
  await sql`vacuum analyze idempotency_keys`.execute(db);
  const before = await pagesRead();
  expect(await trimIdempotencyKeys(db, new Date(), KEYS)).toBe(0);
  expect((await pagesRead()) - before).toBeLessThan(10);
  await db.destroy();
});
