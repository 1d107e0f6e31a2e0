import { describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import {
  DeliveriesRepository,
  EventsRepository,
  insertCopies,
  lockEventToSend,
  markUnroutedSeen,
  ConsumerHealthRepository,
  PaymentsRepository,
  QueueStateRepository,
  type NewEvent,
} from '#libs/database';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { finishDeliveries } from '#test/support/finish-delivery';
import { acceptStatuses, newStatus } from '#test/support/new-status';
import { fileDatabase } from '#test/support/file-database';
import { waitUntil } from '#test/support/wait-until';

const { db, reading } = await fileDatabase();

const deliveries = new DeliveriesRepository(reading, db);

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
const listIds = async (filter: Parameters<DeliveriesRepository['list']>[0]): Promise<string[]> =>
  idsOf(await deliveries.list(filter, { offset: 0, limit: 100 }));

describe('deliveries of an event', () => {
  it('lists the original deliveries of an event and those that operators added, pending and finished', async () => {
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
    expect(await listIds({ notificationId: event.id })).toEqual(expected.toReversed());
    const both = await deliveries.ofEvents([event.id, others.id]);
    expect(idsOf(both.get(event.id) ?? [])).toEqual(expected);
    expect(idsOf(both.get(others.id) ?? [])).toEqual(others.deliveryIds);
  });

  it('lists no deliveries for an event that does not exist', async () => {
    expect(await deliveries.ofEvent(newId())).toEqual([]);
    expect(await listIds({ notificationId: newId() })).toEqual([]);
  });
});

describe('recipients', () => {
  const page = { offset: 0, limit: 100 };

  it('counts the recipients of an event by state, and names the three with the worst states first', async () => {
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

  it('gives each recipient of a payment the worst state of its statuses, or of one producer’s statuses', async () => {
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

describe('list of deliveries', () => {
  it('filters pending and finished deliveries by payment, consumer and state', async () => {
    const [one, other] = [await insertConsumer(db), await insertConsumer(db)];
    const paymentId = `payment-${newId()}`;
    const earlier = await accept([one, other], { paymentId });
    const later = await accept([one], { paymentId });
    await finishDeliveries(db, earlier.deliveryIds);

    expect(await listIds({ paymentId })).toEqual([...later.deliveryIds, ...earlier.deliveryIds.toReversed()]);
    expect(await listIds({ paymentId, consumerId: one })).toEqual([
      ...later.deliveryIds,
      ...earlier.deliveryIds.slice(0, 1),
    ]);
    expect(await listIds({ paymentId, state: 'delivered' })).toEqual(earlier.deliveryIds.toReversed());
    expect(await listIds({ paymentId, state: 'queued' })).toEqual(later.deliveryIds);
    expect(await listIds({ consumerId: other })).toEqual(earlier.deliveryIds.slice(1));
    expect(await listIds({ consumerId: one, holdReason: 'order' })).toEqual([]);
  });

  it('shows a delivery in the list exactly as it is found by its id, pending and finished', async () => {
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

describe('event without a recipient', () => {
  it('lists and counts an event without recipients as unrouted until an operator sends it to a consumer', async () => {
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

  it('counts unrouted events until they are marked as seen, and never marks later ones', async () => {
    const queue = new QueueStateRepository(reading);
    const markSeen = (until: Date): Promise<void> =>
      markUnroutedSeen(db, until, {
        actor: 'ann',
        action: 'unrouted.seen',
        target: 'unrouted',
        address: null,
        details: {},
      });
    await accept([]);
    const first = await queue.unrouted(new Date(0));
    expect([first.count > 0, first.seenUntil]).toEqual([true, null]);
    // An event of the same millisecond stays new.
    const seen = await waitUntil(
      async () => {
        await markSeen((await queue.unrouted(new Date(0))).until);
        const found = await queue.unrouted(new Date(0));
        return found.count === 0 && found;
      },
      { what: 'all unrouted events to be seen' },
    );
    await accept([]);
    expect((await queue.unrouted(new Date(0))).count).toBe(1);
    // An older instant hides nothing less, and one in the future hides no later event.
    await markSeen(new Date(0));
    expect((await queue.unrouted(new Date(0))).seenUntil).toEqual(seen.seenUntil);
    await markSeen(new Date(Date.now() + 3_600_000));
    await accept([]);
    expect((await queue.unrouted(new Date(0))).count).toBe(1);
  });
});

describe('overview', () => {
  it('counts pending deliveries by state and hold reason', async () => {
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

  it('shows since when a consumer is overdue, without deliveries that wait for an earlier status', async () => {
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

  it('counts the overdue consumers that no worker serves', async () => {
    await sql`delete from pending_deliveries`.execute(db);
    const queue = new QueueStateRepository(reading);
    const [served, unserved] = [await insertConsumer(db), await insertConsumer(db)];
    await accept([served, unserved]);
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
