import { afterEach, beforeEach, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { Metrics } from '#libs/observability';
import { sql } from 'kysely';
import { seededRandom } from '#test/chaos/seeded-random';
import type { ConsumerAnswer } from '#test/support/consumer-server';
import { OwnRedis } from '#test/support/own-redis';
import { outOfOrder, ServedConsumer } from '#test/support/served-consumer';
import {
  startDispatcherInProcess,
  type DispatcherInProcess,
  type WorkerInProcess,
} from '#test/support/dispatcher-in-process';
import { waitUntil } from '#test/support/wait-until';

const CONSUMERS = 4;
const PAYMENTS = 12;
const BATCHES = 5;

let redis: OwnRedis;
let services: DispatcherInProcess;

beforeEach(async () => {
  redis = await OwnRedis.create({ durable: false });
  services = await startDispatcherInProcess({ REDIS_URL: redis.url, RECONCILE_INTERVAL_MS: '1000' });
});
afterEach(async () => {
  await services.close();
  await redis.remove();
});

const untilNothingIsPending = (): Promise<true> =>
  waitUntil(
    async () => {
      const { rows } = await sql`select consumer_id, count(*) from pending_deliveries group by 1`.execute(
        services.db,
      );
      expect(rows).toEqual([]);
      return true as const;
    },
    { what: 'all deliveries to be finished', deadlineMs: 120_000, everyMs: 50 },
  );

/** The number of times that reconcile has found an overdue consumer without a session. */
async function overdueFoundBy({ app }: WorkerInProcess): Promise<number> {
  const { values } = await app.get(Metrics, { strict: false }).reconciled.get();
  return values.find(({ labels }) => labels.kind === 'overdue')?.value ?? 0;
}

const payments = Array.from({ length: PAYMENTS }, (_, index) => `payment-${String(index)}`);

it('statuses of a payment arrive in order despite failing requests and a worker that stops', async () => {
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  const answering = async (): Promise<ConsumerAnswer> => {
    await pause(random.integer(0, 20));
    const dice = random.next();
    if (dice < 0.6) return {};
    return dice < 0.75 ? 'reset' : { status: dice < 0.85 ? 503 : 404 };
  };
  const consumers = await Promise.all(
    Array.from({ length: CONSUMERS }, () =>
      ServedConsumer.add(services, { answering, retry_schedule: [1, 1, 1], max_concurrency: 6 }),
    ),
  );
  const [first, second] = await Promise.all([services.startWorker(), services.startWorker()]);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await Promise.all(consumers.map((consumer) => consumer.accept(...random.shuffled(payments))));
    if (batch === 2) await first.close();
    await pause(random.integer(0, 400));
  }
  await untilNothingIsPending();
  for (const { arrivals } of consumers) {
    expect({ seed, late: outOfOrder(arrivals) }).toEqual({ seed, late: [] });
    const places = new Set(arrivals.map(({ place }) => place));
    expect({ seed, arrived: places.size }).toEqual({ seed, arrived: PAYMENTS * BATCHES });
  }
  // No consumer had to wait for reconcile.
  expect({ seed, overdue: await overdueFoundBy(second) }).toEqual({ seed, overdue: 0 });
});

it('loses no delivery and keeps the order of payments when the queue is emptied during active sessions', async () => {
  const consumers = await Promise.all(
    Array.from({ length: CONSUMERS }, (_, index) =>
      ServedConsumer.add(services, {
        retry_schedule: [1, 1, 1, 1, 1],
        max_concurrency: 4,
        answering: async ({ place }) => {
          await pause(10);
          // The first consumer has retry timers to lose, too.
          return index === 0 && place % 7 === 0 && Math.random() < 0.5 ? { status: 500 } : {};
        },
      }),
    ),
  );
  await Promise.all([services.startWorker(), services.startWorker()]);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await Promise.all(consumers.map((consumer) => consumer.accept(...payments)));
    const before = consumers.map(({ arrivals }) => arrivals.length);
    await waitUntil(() => consumers.every(({ arrivals }, index) => arrivals.length > (before[index] ?? 0)), {
      what: 'every consumer to have an active session',
      everyMs: 1,
    });
    await redis.asked((asked) => asked.flushall());
  }
  await untilNothingIsPending();
  for (const { arrivals } of consumers) {
    expect(outOfOrder(arrivals)).toEqual([]);
    expect(new Set(arrivals.map(({ place }) => place)).size).toBe(PAYMENTS * BATCHES);
  }
});
