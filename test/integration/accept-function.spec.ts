import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { acceptEvents, fetchDeliveries, Pipeline, PIPELINE_SETTINGS, type NewEvent } from '#libs/database';
import { insertConsumer } from '#test/support/consumer-row';
import { acceptStatuses, newStatus, routingVersion } from '#test/support/new-status';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { sql } from 'kysely';

let database: TestDatabase;
let pipeline: Pipeline;

beforeAll(async () => {
  database = await createTestDatabase();
  pipeline = new Pipeline({ url: database.url, poolSize: 6, settings: PIPELINE_SETTINGS });
});

afterAll(async () => {
  await pipeline.close();
  await database.drop();
});

const aConsumer = (): Promise<string> => insertConsumer(pipeline.db);

const statusFor = (consumerId: string, given: Partial<NewEvent> = {}): NewEvent =>
  newStatus({ deliveries: [{ id: newId(), consumerId }], ...given });

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

describe('accept', () => {
  it('names the consumers that need a job, and leaves out one that a worker serves', async () => {
    const [served, alone] = [await aConsumer(), await aConsumer()];
    await openSession(served);
    const events = [statusFor(served), statusFor(alone)];
    const outcome = await acceptEvents(pipeline, events, await routingVersion(pipeline.db));
    expect(outcome).toEqual({ kind: 'accepted', enqueue: [alone] });
  });

  it('names no consumer that is paused or whose circuit is open', async () => {
    const [paused, down] = [await aConsumer(), await aConsumer()];
    await sql`update consumers set state = 'paused', paused_at = now() where id = ${paused}`.execute(
      pipeline.db,
    );
    await sql`update consumer_runtime set circuit_opened_at = now(), next_probe_at = now() + interval '1 minute'
      where consumer_id = ${down}`.execute(pipeline.db);
    const events = [statusFor(paused), statusFor(down)];
    const outcome = await acceptEvents(pipeline, events, await routingVersion(pipeline.db));
    expect(outcome).toEqual({ kind: 'accepted', enqueue: [] });
    expect(await numbersOf(down)).toHaveLength(1);
  });

  it('numbers the statuses of a payment in the order of the batch and over batches', async () => {
    const consumerId = await aConsumer();
    const paymentId = newId();
    await acceptStatuses(
      pipeline,
      statusFor(consumerId, { paymentId, followers: 1 }),
      statusFor(consumerId, { paymentId }),
    );
    await acceptStatuses(pipeline, statusFor(consumerId, { paymentId }));
    expect(await numbersOf(consumerId)).toEqual([1, 2, 3]);
  });

  it('parks a status behind a pending one, of the same batch or an earlier, unless the consumer wants no order', async () => {
    for (const ordering of ['payment', 'none'] as const) {
      const consumerId = await insertConsumer(pipeline.db, { ordering });
      const paymentId = newId();
      const statuses = Array.from({ length: 3 }, () => statusFor(consumerId, { paymentId }));
      const [first, second, third] = statuses.map((event, index) => ({
        ...event,
        followers: index === 0 ? 1 : 0,
      }));
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('there are three');
      await acceptStatuses(pipeline, first, second);
      await acceptStatuses(pipeline, third, statusFor(consumerId));
      const { rows } = await sql<{ number: number; is_due: boolean }>`
        select number, next_attempt_at <= now() as is_due from pending_deliveries
        where consumer_id = ${consumerId} and payment_id = ${paymentId} order by number`.execute(pipeline.db);
      const isParked = ordering === 'payment';
      expect(rows).toEqual([
        { number: 1, is_due: true },
        { number: 2, is_due: !isParked },
        { number: 3, is_due: !isParked },
      ]);
    }
  });

  it('writes nothing when a key is taken or the routing has changed', async () => {
    const consumerId = await aConsumer();
    const first = statusFor(consumerId);
    await acceptStatuses(pipeline, first);
    const version = await routingVersion(pipeline.db);
    const repeated = statusFor(consumerId, { keyHash: first.keyHash });
    expect(await acceptEvents(pipeline, [statusFor(consumerId), repeated], version)).toEqual({
      kind: 'key_taken',
    });
    expect(await acceptEvents(pipeline, [statusFor(consumerId)], '0')).toEqual({ kind: 'stale_routing' });
    expect(await numbersOf(consumerId)).toHaveLength(1);
  });
});
