import { expect, it } from 'vitest';
import { newId, type Ordering } from '#libs/contracts';
import { acceptEvents, fetchDeliveries, type NewEvent } from '#libs/database';
import { insertConsumer } from '#test/support/consumer-row';
import { acceptStatuses, routingVersion, statusFor } from '#test/support/new-status';
import { sql } from 'kysely';
import { fileDatabase } from '#test/support/file-database';

const { pipeline } = await fileDatabase();

const newConsumer = (): Promise<string> => insertConsumer(pipeline.db);

const openSession = (consumerId: string) =>
  fetchDeliveries(pipeline, [{ consumerId, session: null, wanted: 1, inFlight: [] }]);

const numbersOf = async (consumerId: string): Promise<(number | null)[]> => {
  const rows = await pipeline.db
    .selectFrom('pending_deliveries')
    .select('number')
    .where('consumer_id', '=', consumerId)
    .orderBy('number')
    .execute();
  return rows.map(({ number }) => number);
};

it('accepting events returns the consumers to enqueue, without one that a worker already serves', async () => {
  const [served, unserved] = [await newConsumer(), await newConsumer()];
  await openSession(served);
  const events = [statusFor(served), statusFor(unserved)];
  const outcome = await acceptEvents(pipeline, events, await routingVersion(pipeline.db));
  expect(outcome).toEqual({ kind: 'accepted', enqueue: [unserved] });
});

it('accepting events enqueues no consumer that is paused or whose circuit is open', async () => {
  const [paused, circuitOpen] = [await newConsumer(), await newConsumer()];
  await sql`update consumers set state = 'paused', paused_at = now() where id = ${paused}`.execute(
    pipeline.db,
  );
  await sql`update consumer_runtime set circuit_opened_at = now(), next_probe_at = now() + interval '1 minute'
    where consumer_id = ${circuitOpen}`.execute(pipeline.db);
  const events = [statusFor(paused), statusFor(circuitOpen)];
  const outcome = await acceptEvents(pipeline, events, await routingVersion(pipeline.db));
  expect(outcome).toEqual({ kind: 'accepted', enqueue: [] });
  expect(await numbersOf(circuitOpen)).toHaveLength(1);
});

it('numbers the statuses of a payment in order of acceptance, within a batch and across batches', async () => {
  const consumerId = await newConsumer();
  const paymentId = newId();
  await acceptStatuses(
    pipeline,
    statusFor(consumerId, { paymentId, followers: 1 }),
    statusFor(consumerId, { paymentId }),
  );
  await acceptStatuses(pipeline, statusFor(consumerId, { paymentId }));
  expect(await numbersOf(consumerId)).toEqual([1, 2, 3]);
});

interface Parking {
  readonly isParked: boolean;
  readonly ordering?: Ordering;
  readonly paymentId?: null;
}

it.each<[string, Parking]>([
  ['parks a status behind a pending one of its payment', { isParked: true }],
  ['parks no status for a consumer without an order', { isParked: false, ordering: 'none' }],
  ['parks no status that has no payment id', { isParked: false, paymentId: null }],
])('accept %s', async (_what, given) => {
  const { isParked, ordering = 'payment', paymentId = newId() } = given;
  const consumerId = await insertConsumer(pipeline.db, { ordering });
  const status = (followers: number): NewEvent => statusFor(consumerId, { paymentId, followers });
  await acceptStatuses(pipeline, status(1), status(0));
  await acceptStatuses(pipeline, status(0), statusFor(await newConsumer()));
  const { rows } = await sql<{ is_due: boolean }>`
    select next_attempt_at <= now() as is_due from pending_deliveries
    where consumer_id = ${consumerId} order by id`.execute(pipeline.db);
  expect(rows.map(({ is_due }) => is_due)).toEqual([true, !isParked, !isParked]);
});

it.each([
  { why: 'an idempotency key is taken', kind: 'key_taken' },
  { why: 'the consumers’ settings have changed', kind: 'stale_routing' },
  { why: 'the past by which an event was routed has grown', kind: 'stale_past' },
])('nothing of a batch is kept when $why, even if the caller’s transaction commits', async ({ kind }) => {
  const consumerId = await newConsumer();
  const first = statusFor(consumerId);
  await acceptStatuses(pipeline, first);
  const version = kind === 'stale_routing' ? '0' : await routingVersion(pipeline.db);
  const last = {
    ...statusFor(consumerId, { paymentId: first.paymentId }),
    ...(kind === 'key_taken' && { keyHash: first.keyHash }),
    ...(kind === 'stale_past' && { expectedNumber: 1 }),
  };
  const before = await everyRow();
  const outcome = await pipeline.db
    .transaction()
    .execute((trx) => acceptEvents(trx, [statusFor(consumerId), last], version));
  expect(outcome).toEqual({ kind });
  expect(await everyRow()).toEqual(before);
  expect(await numbersOf(consumerId)).toEqual([1]);
});

it('accepts an event that was routed by its payment’s past when the past is still the same', async () => {
  const consumerId = await newConsumer();
  const first = statusFor(consumerId, { expectedNumber: 1 });
  await acceptStatuses(pipeline, first);
  await acceptStatuses(
    pipeline,
    statusFor(consumerId, { paymentId: first.paymentId, followers: 1 }),
    statusFor(consumerId, { paymentId: first.paymentId, expectedNumber: 3 }),
  );
  expect(await numbersOf(consumerId)).toEqual([1, 2, 3]);
});

async function everyRow(): Promise<unknown[]> {
  const { rows } = await sql`
    select 'key' as kind, k::text as row from idempotency_keys k union all select 'payment', p::text from payments p
    union all select 'event', e::text from events e union all select 'delivery', d::text from pending_deliveries d
    order by 1, 2`.execute(pipeline.db);
  return rows;
}
