import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import {
  DeliveriesRepository,
  EventsRepository,
  insertCopies,
  lockEventToSend,
  openDatabase,
  ConsumerHealthRepository,
  PaymentsRepository,
  QueueStateRepository,
  type Database,
  type NewEvent,
  openReading,
  type ReadingDatabase,
} from '#libs/database';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { finishDeliveries } from '#test/support/finish-delivery';
import { acceptStatuses, newStatus } from '#test/support/new-status';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

let database: TestDatabase;
let db: Database;
let reading: ReadingDatabase;
let deliveries: DeliveriesRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolSize: 4 });
  reading = openReading({ url: database.url, poolSize: 4 });
  deliveries = new DeliveriesRepository(reading, db);
});
afterAll(async () => {
  await Promise.all([db.destroy(), reading.destroy()]);
  await database.drop();
});

/** Accepts a status for these consumers. @returns the event, and its deliveries in their order */
async function accept(consumers: readonly string[], given: Partial<NewEvent> = {}) {
  const event = newStatus({
    deliveries: consumers.map((consumerId) => ({ id: newId(), consumerId })),
    ...given,
  });
  await acceptStatuses(db, event);
  return { id: event.id, deliveryIds: event.deliveries.map(({ id }) => id) };
}

/** An operator sends the event to one more consumer. @returns the delivery */
async function send(eventId: string, consumerId: string): Promise<string> {
  const deliveryId = newId();
  await db.transaction().execute(async (trx) => {
    const event = await lockEventToSend(trx, eventId);
    if (event === undefined) throw new Error('there is no such event');
    await insertCopies(trx, event, [{ deliveryId, consumerId }]);
  });
  return deliveryId;
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
const found = async (filter: Parameters<DeliveriesRepository['list']>[0]): Promise<string[]> =>
  idsOf(await deliveries.list(filter, { offset: 0, limit: 100 }));

describe('the deliveries of an event', () => {
  it('are those that it was accepted with and those that operators added, pending and finished', async () => {
    const consumers = [await insertConsumer(db), await insertConsumer(db), await insertConsumer(db)];
    const [first = '', second = '', third = ''] = consumers;
    const event = await accept([first, second]);
    const others = await accept([first]);
    const added = await send(event.id, third);
    await finishDeliveries(db, event.deliveryIds.slice(0, 1));
    const expected = [...event.deliveryIds, added];

    const rows = await deliveries.ofEvent(event.id);
    expect(idsOf(rows)).toEqual(expected);
    expect(rows.map(({ state }) => state)).toEqual(['delivered', 'queued', 'queued']);
    expect(await found({ notificationId: event.id })).toEqual(expected.toReversed());
    const both = await deliveries.ofEvents([event.id, others.id]);
    expect(idsOf(both.get(event.id) ?? [])).toEqual(expected);
    expect(idsOf(both.get(others.id) ?? [])).toEqual(others.deliveryIds);
  });

  it('are none of an event that does not exist', async () => {
    expect(await deliveries.ofEvent(newId())).toEqual([]);
    expect(await found({ notificationId: newId() })).toEqual([]);
  });
});

describe('the recipients of what is listed', () => {
  const page = { offset: 0, limit: 100 };

  it('of an event are counted by state, and three named, the worst first', async () => {
    const consumers = await Promise.all(
      Array.from({ length: 5 }, () => insertConsumer(db, { name: 'Acme' })),
    );
    const paymentId = `payment-${newId()}`;
    const { id, deliveryIds } = await accept(consumers, { paymentId });
    const [delivered = '', dead = '', settled = '', cancelled = ''] = deliveryIds;
    await finishDeliveries(db, [delivered]);
    await finishDeliveries(db, [dead, settled], 'dead');
    await finishDeliveries(db, [cancelled], 'cancelled');
    await sql`update deliveries set settled_at = now(), settled_by = 'ann', settle_reason = 'by file' where id = ${settled}`.execute(
      db,
    );
    const events = new EventsRepository(reading, db);
    const rows = await events.list({}, page);
    const recipients = rows.find((row) => row.id === id)?.recipients;
    expect(recipients).toMatchObject({
      total: 5,
      delivered: 1,
      waiting: 1,
      dead: 1,
      settled: 1,
      cancelled: 1,
    });
    expect(recipients?.named).toEqual([
      { consumerId: consumers[1], consumerName: 'Acme', state: 'dead', at: expect.any(String) },
      { consumerId: consumers[4], consumerName: 'Acme', state: 'waiting', at: null },
      { consumerId: consumers[3], consumerName: 'Acme', state: 'cancelled', at: expect.any(String) },
    ]);
    expect(await events.recipients(id)).toEqual(recipients);
  });

  it('of a payment have the worst state of any status, and a producer sees those of its own', async () => {
    const [one, two] = [await insertConsumer(db), await insertConsumer(db)];
    const paymentId = `payment-${newId()}`;
    const ach = { paymentId, eventType: 'ach.status' } as const;
    const first = await accept([one, two], { ...ach, producer: 'hub' });
    const second = await accept([one, two], { ...ach, producer: 'wires' });
    await finishDeliveries(db, [...first.deliveryIds.slice(1), ...second.deliveryIds]);
    await finishDeliveries(db, first.deliveryIds.slice(0, 1), 'dead');
    const payments = new PaymentsRepository(reading);
    const recipients = async (producer?: string) =>
      (await payments.find('ach.status', paymentId, producer))?.recipients;
    expect(await recipients()).toMatchObject({
      total: 2,
      dead: 1,
      delivered: 1,
      named: [
        { consumerId: one, state: 'dead' },
        { consumerId: two, state: 'delivered' },
      ],
    });
    expect(await recipients('wires')).toMatchObject({ total: 2, dead: 0, delivered: 2 });
  });
});

describe('the list of deliveries', () => {
  it('finds by payment and by consumer what is pending and what is finished', async () => {
    const [one, other] = [await insertConsumer(db), await insertConsumer(db)];
    const paymentId = `payment-${newId()}`;
    const earlier = await accept([one, other], { paymentId });
    const later = await accept([one], { paymentId });
    await finishDeliveries(db, earlier.deliveryIds);

    expect(await found({ paymentId })).toEqual([...later.deliveryIds, ...earlier.deliveryIds.toReversed()]);
    expect(await found({ paymentId, consumerId: one })).toEqual([
      ...later.deliveryIds,
      ...earlier.deliveryIds.slice(0, 1),
    ]);
    expect(await found({ paymentId, state: 'delivered' })).toEqual(earlier.deliveryIds.toReversed());
    expect(await found({ paymentId, state: 'queued' })).toEqual(later.deliveryIds);
    expect(await found({ consumerId: other })).toEqual(earlier.deliveryIds.slice(1));
    expect(await found({ consumerId: one, holdReason: 'order' })).toEqual([]);
  });

  it('shows the same delivery as it is found by its id', async () => {
    const consumer = await insertConsumer(db, { name: 'Brightwater Foods' });
    const { deliveryIds } = await accept([consumer]);
    const [id = ''] = deliveryIds;
    const listed = async () => (await deliveries.list({ consumerId: consumer }, { offset: 0, limit: 1 }))[0];
    expect(await deliveries.find(id)).toEqual(await listed());
    expect(await listed()).toMatchObject({ id, consumer_name: 'Brightwater Foods', state: 'queued' });
    await finishDeliveries(db, [id]);
    expect(await deliveries.find(id)).toEqual(await listed());
    expect(await listed()).toMatchObject({ id, consumer_name: 'Brightwater Foods', state: 'delivered' });
  });
});

describe('an event that concerned nobody', () => {
  it('is listed and counted as unrouted until an operator sends it to a consumer', async () => {
    const events = new EventsRepository(reading, db);
    const queue = new QueueStateRepository(reading);
    const consumer = await insertConsumer(db);
    const [kept, sent] = [await accept([]), await accept([])];
    const unrouted = async (): Promise<string[]> =>
      idsOf(await events.list({ unrouted: true }, { offset: 0, limit: 10 }));
    const count = async (): Promise<number> => (await queue.unrouted(new Date(0))).count;
    expect([await unrouted(), await count()]).toEqual([[sent.id, kept.id], 2]);
    expect(await events.recipients(kept.id)).toMatchObject({ total: 0, named: [] });
    await send(sent.id, consumer);
    expect([await unrouted(), await count()]).toEqual([[kept.id], 1]);
    expect(idsOf(await events.list({ unrouted: false }, { offset: 0, limit: 100 }))).toContain(sent.id);
    expect((await events.find(sent.id))?.unrouted).toBe(false);
  });
});

describe('the overview', () => {
  it('counts what is pending by where it stands', async () => {
    await sql`delete from pending_deliveries`.execute(db);
    const hourAgo = new Date(Date.now() - 3_600_000);
    const paused = await insertConsumer(db, { pausedAt: hourAgo });
    const paymentId = `payment-${newId()}`;
    const consumer = await insertConsumer(db);
    await accept([paused]);
    await accept([consumer], { paymentId });
    await accept([consumer], { paymentId });
    await accept([consumer]);
    const pendingStates = await new QueueStateRepository(reading).pendingStates();
    const counted = pendingStates.map(({ state, holdReason, count, isCapped }) => ({
      state,
      holdReason,
      count,
      isCapped,
    }));
    expect(counted).toHaveLength(3);
    expect(counted).toEqual(
      expect.arrayContaining([
        { state: 'queued', holdReason: null, count: 2, isCapped: false },
        { state: 'held', holdReason: 'order', count: 1, isCapped: false },
        { state: 'held', holdReason: 'paused', count: 1, isCapped: false },
      ]),
    );
  });

  it('knows since when a consumer is overdue, what waits for an earlier status apart', async () => {
    const consumer = await insertConsumer(db);
    const paymentId = `payment-${newId()}`;
    const [head] = (await accept([consumer], { paymentId })).deliveryIds;
    await accept([consumer], { paymentId });
    const overdue = async (): Promise<Date | null | undefined> =>
      (await new ConsumerHealthRepository(reading).conditions([consumer]))[0]?.oldest_due_at;
    expect(await overdue()).toBeInstanceOf(Date);
    await sql`update pending_deliveries set next_attempt_at = now() + interval '1 hour' where id = ${head}`.execute(
      db,
    );
    expect(await overdue()).toBeNull();
  });

  it('counts the consumers that are overdue and that no worker serves', async () => {
    await sql`delete from pending_deliveries`.execute(db);
    const queue = new QueueStateRepository(reading);
    const [served, left] = [await insertConsumer(db), await insertConsumer(db)];
    await accept([served, left]);
    expect(await queue.overdueConsumers()).toBe(0);
    await sql`update pending_deliveries set next_attempt_at = now() - interval '6 seconds'`.execute(db);
    expect(await queue.overdueConsumers()).toBe(2);
    await db
      .insertInto('workers')
      .values({
        id: newId(),
        host: 'h',
        pid: 1,
        concurrency: 1,
        sending: [],
        sessions: [served],
        at_limit: [],
      })
      .execute();
    expect(await queue.overdueConsumers()).toBe(1);
  });
});
