import { expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import {
  insertCopies,
  lockEventToSend,
  NotificationsRepository,
  type NewEvent,
  type NotificationFilter,
  openConsumersReading,
} from '#libs/database';
import { sql } from 'kysely';
import fc from 'fast-check';
import { insertConsumer } from '#test/support/consumer-row';
import { finishDeliveries } from '#test/support/finish-delivery';
import { acceptStatuses, newStatus } from '#test/support/new-status';
import { waitUntil } from '#test/support/wait-until';
import { fileDatabase } from '#test/support/file-database';

const { url, db } = await fileDatabase({ queryTimeoutMs: 0 });

const reading = openConsumersReading({ url, poolSize: 4 });
const notifications = new NotificationsRepository(reading, db);

const idOf = (body: string): string => {
  const { notificationId }: { notificationId: string } = JSON.parse(body);
  return notificationId;
};

/** The envelopes of a page, read as the api reads them. */
async function bodies(filter: NotificationFilter, offset: number, limit: number): Promise<string[]> {
  const rows = await notifications.list(filter, { offset, limit });
  return rest(notifications.bodies(rows.slice(0, limit)));
}

async function rest(chunks: AsyncIterable<string[]>): Promise<string[]> {
  const read: string[] = [];
  for await (const chunk of chunks) read.push(...chunk);
  return read;
}

const page = async (consumerId: string, offset: number, limit: number): Promise<string[]> =>
  (await bodies({ consumerId }, offset, limit)).map(idOf);
const listed = (consumerId: string): Promise<string[]> => page(consumerId, 0, 1_000);

/** The list once it has this many entries: a committed one shows when every older writer has ended. */
async function listedOnce(consumerId: string, count: number): Promise<string[]> {
  return waitUntil(
    async () => {
      const ids = await listed(consumerId);
      return ids.length >= count && ids;
    },
    { what: 'the list of notifications to be complete' },
  );
}

const statusFor = (consumerId: string, given: Partial<NewEvent> = {}): NewEvent =>
  newStatus({ deliveries: [{ id: newId(), consumerId }], ...given });

async function acceptFor(consumerId: string, given: Partial<NewEvent> = {}): Promise<string> {
  const event = statusFor(consumerId, given);
  await acceptStatuses(db, event);
  return event.id;
}

/** Starts an accept in another process that has written its delivery and has not committed. */
async function startAccept(consumerId: string): Promise<{ id: string; commit: () => Promise<void> }> {
  const trx = await db.startTransaction().execute();
  const event = statusFor(consumerId);
  await acceptStatuses(trx, event);
  return { id: event.id, commit: () => trx.commit().execute() };
}

/** An operator sends an event to one more consumer. */
async function sendCopy(notificationId: string, consumerId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const event = await lockEventToSend(trx, notificationId);
    if (event === undefined) throw new Error('there is no such event');
    await insertCopies(trx, event, [{ deliveryId: newId(), consumerId }]);
  });
}

/** Finishes the oldest pending deliveries of a consumer: they move to history. */
async function finishSome(consumerId: string, count: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from pending_deliveries where consumer_id = ${consumerId} order by id limit ${count}`.execute(
    db,
  );
  await finishDeliveries(
    db,
    rows.map(({ id }) => id),
  );
}

it('lists an old event that an operator sent to a consumer later at the end of its notifications', async () => {
  const [first, second] = [await insertConsumer(db), await insertConsumer(db)];
  const old = await acceptFor(first);
  const own = await acceptFor(second);
  expect(await listedOnce(second, 1)).toEqual([own]);
  await sendCopy(old, second);
  expect(await listedOnce(second, 2)).toEqual([own, old]);
});

it('filters a consumer’s notifications by time and event type', async () => {
  const consumer = await insertConsumer(db);
  const ids = [await acceptFor(consumer), await acceptFor(consumer)];
  expect(await listedOnce(consumer, ids.length)).toEqual(ids);
  const { rows } = await sql<{ created_at: Date }>`
    select date_trunc('milliseconds', created_at) as created_at from pending_deliveries where event_id = ${ids[1]}`.execute(
    db,
  );
  const from = rows[0]?.created_at ?? new Date();
  const found = async (filter: object): Promise<string[]> =>
    (await bodies({ consumerId: consumer, ...filter }, 0, 10)).map(idOf);
  expect(await found({ from })).toContain(ids[1]);
  expect(await found({ to: from })).not.toContain(ids[1]);
  expect(await found({ from: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await found({ eventType: 'wire.status' })).toEqual(ids);
  expect(await found({ eventType: 'ach.status' })).toEqual([]);
});

it('keeps the places of other notifications when an event is deleted before its delivery', async () => {
  const consumer = await insertConsumer(db);
  const ids = [await acceptFor(consumer), await acceptFor(consumer), await acceptFor(consumer)];
  expect(await listedOnce(consumer, ids.length)).toEqual(ids);
  await sql`delete from events where id = ${ids[1]}`.execute(db);
  expect(await notifications.list({ consumerId: consumer }, { offset: 0, limit: 10 })).toHaveLength(3);
  expect(await page(consumer, 0, 2)).toEqual([ids[0]]);
  expect(await page(consumer, 2, 2)).toEqual([ids[2]]);
});

it('leaves out a notification that retention deletes while the list is read', async () => {
  const consumer = await insertConsumer(db);
  // This many notifications make a second chunk.
  const ids: string[] = [];
  for (let made = 0; made < 70; made++) ids.push(await acceptFor(consumer));
  await listedOnce(consumer, ids.length);
  const chunks = notifications.bodies(
    await notifications.list({ consumerId: consumer }, { offset: 0, limit: 100 }),
  );
  const first = (await chunks.next()).value ?? [];
  await sql`delete from events where id = ${ids.at(-1)}`.execute(db);
  expect([...first, ...(await rest(chunks))].map(idOf)).toEqual(ids.slice(0, -1));
});

it('reads notification bodies over one connection of the pool, however many lists are read at once', async () => {
  const consumer = await insertConsumer(db);
  const id = await acceptFor(consumer);
  await listedOnce(consumer, 1);
  const rows = await notifications.list({ consumerId: consumer }, { offset: 0, limit: 1 });
  const held = await db.startTransaction().execute();
  await sql`lock table events in access exclusive mode`.execute(held);
  const lists = Promise.all(Array.from({ length: 20 }, () => notifications.bodies(rows).next()));
  const waiting = async (): Promise<number> => {
    const found = await sql<{ pid: number }>`
      select distinct pid from pg_locks where not granted and relation = 'events'::regclass
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    return found.rows.length;
  };
  await waitUntil(async () => (await waiting()) > 0, { what: 'a read to wait for the locked events' });
  expect(await waiting()).toBe(1);
  await held.rollback().execute();
  for (const { value } of await lists) expect((value ?? []).map(idOf)).toEqual([id]);
});

it('paging reads each notification once and in order while many are accepted at the same time', async () => {
  const consumer = await insertConsumer(db);
  const writers = Array.from({ length: 6 }, async () => {
    for (let made = 0; made < 50; made += 1) await acceptFor(consumer);
  });
  const seen: string[] = [];
  const read = async (): Promise<number> => seen.push(...(await page(consumer, seen.length, 7)));
  await waitUntil(async () => (await read()) >= 300, {
    what: 'all 300 notifications',
    everyMs: 0,
  });
  await Promise.all(writers);
  expect(seen).toEqual(await listed(consumer));
  expect(new Set(seen).size).toBe(300);
});

it('paging neither misses nor repeats a notification while others are accepted, copied and finished', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('read' as const), many: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      kind: fc.constantFrom(
        'accept' as const,
        'begin' as const,
        'commit' as const,
        'copy' as const,
        'finish' as const,
      ),
      many: fc.integer({ min: 1, max: 3 }),
    }),
  );
  const foreign = await acceptFor(await insertConsumer(db));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const consumer = await insertConsumer(db);
      const expected: string[] = [];
      const seen: string[] = [];
      const uncommitted: Awaited<ReturnType<typeof startAccept>>[] = [];
      let isCopySent = false;
      const read = async (limit: number): Promise<number> => {
        const ids = await page(consumer, seen.length, limit);
        seen.push(...ids);
        return ids.length;
      };
      for (const { kind, many } of steps) {
        if (kind === 'read') await read(many);
        if (kind === 'accept') expected.push(await acceptFor(consumer));
        if (kind === 'finish') await finishSome(consumer, many);
        if (kind === 'begin' && uncommitted.length < 3) uncommitted.push(await startAccept(consumer));
        if (kind === 'commit') {
          const [ended] = uncommitted.splice(many % Math.max(1, uncommitted.length), 1);
          await ended?.commit();
          if (ended !== undefined) expected.push(ended.id);
        }
        if (kind === 'copy' && !isCopySent) {
          await sendCopy(foreign, consumer);
          isCopySent = true;
          expected.push(foreign);
        }
      }
      for (const { id, commit } of uncommitted) {
        await commit();
        expected.push(id);
      }
      await waitUntil(async () => (await read(7)) === 0 && seen.length >= expected.length, {
        what: 'every notification to be listed',
      });
      expect(seen.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 15 },
  );
});

it('any page equals the result of one plain statement, and reports more records exactly when they exist', async () => {
  const consumer = await insertConsumer(db);
  const expected: string[] = [];
  for (let made = 0; made < 90; made++) {
    const id = newId();
    // Some of them are larger than others by more than the capacity of a chunk.
    const body = JSON.stringify({ notificationId: id, name: 'x'.repeat(made % 9 === 0 ? 200_000 : 0) });
    expected.push(await acceptFor(consumer, { id, body }));
  }
  await finishSome(consumer, 40);
  await listedOnce(consumer, expected.length);
  const { rows } = await sql<{ body: string }>`
    select e.body from events e join (
      select event_id, created_at, id, consumer_id from pending_deliveries
      union all select event_id, created_at, id, consumer_id from deliveries) d on d.event_id = e.id
    where d.consumer_id = ${consumer} order by d.created_at, d.id`.execute(db);
  const plain = rows.map(({ body }) => body);
  expect(plain.map(idOf)).toEqual(expected);
  const number = fc.integer({ min: 0, max: 100 });
  await fc.assert(
    fc.asyncProperty(number, fc.integer({ min: 1, max: 100 }), async (offset, limit) => {
      expect(await bodies({ consumerId: consumer }, offset, limit)).toEqual(
        plain.slice(offset, offset + limit),
      );
      const found = await notifications.list({ consumerId: consumer }, { offset, limit });
      expect(found.length > limit).toBe(plain.length > offset + limit);
    }),
    { numRuns: 40 },
  );
});
