import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DeliveryProcessor } from '#apps/worker/src/session/delivery.processor';
import { Pipeline } from '#libs/database';
import { Readiness } from '#libs/observability';
import { DELIVERIES_QUEUE, DispatchQueue } from '#libs/queue';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import {
  addConsumer,
  startDispatcherInProcess,
  type DispatcherInProcess,
  type WorkerInProcess,
} from '#test/support/dispatcher-in-process';
import { waitUntil } from '#test/support/wait-until';

/** A worker in this process, so that its parts can be broken one by one. */
interface Broken {
  readonly services: DispatcherInProcess;
  readonly namespace: string;
  readonly worker: WorkerInProcess;
}

async function withWorker(broken: (parts: Broken) => Promise<void>): Promise<void> {
  const namespace = `t${randomUUID().replaceAll('-', '')}`;
  const services = await startDispatcherInProcess({ QUEUE_NAMESPACE: namespace });
  try {
    const worker = await services.startWorker();
    await says(worker, /^ok$/);
    await broken({ services, namespace, worker });
  } finally {
    await services.close();
  }
}

/** What `/readyz` would say of its consuming. */
const consuming = async ({ app }: WorkerInProcess): Promise<string | undefined> =>
  (await app.get(Readiness, { strict: false }).report()).checks['worker'];

const says = (worker: WorkerInProcess, words: RegExp): Promise<true> =>
  waitUntil(
    async () => {
      expect(await consuming(worker)).toMatch(words);
      return true as const;
    },
    { what: `the worker to say ${String(words)}`, everyMs: 100 },
  );

async function opensNoSession({ services, namespace, worker }: Broken): Promise<void> {
  const connection = new Redis(process.env['TEST_REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
  const engine = new Queue(DELIVERIES_QUEUE, { connection, prefix: namespace });
  const consumers = await Promise.all(Array.from({ length: 5 }, () => addConsumer(services)));
  // From outside, as somebody with a BullMQ tool might: one job, then none for longer than is tolerated.
  await engine.setGlobalRateLimit(1, 13_000);
  await services.app.get(DispatchQueue, { strict: false }).addConsumers(consumers);
  await says(worker, /^jobs wait and slots are free, but it has opened no session for \d+ s$/);
  await engine.removeGlobalRateLimit();
  await says(worker, /^ok$/);
  await engine.close();
  connection.disconnect();
}

async function cannotReachPostgres({ worker }: Broken): Promise<void> {
  const { db } = worker.app.get(Pipeline, { strict: false });
  // Every connection that fetches and records is busy for good, as far as anybody waits for it.
  const stuck = Array.from({ length: 6 }, () =>
    db.connection().execute(async (connection) => {
      for (let time = 0; time < 4; time += 1) await sql`select pg_sleep(4)`.execute(connection);
    }),
  );
  await says(worker, /^PostgreSQL has not answered on the connections that fetch and record for \d+ s$/);
  await Promise.all(stuck);
  await says(worker, /^ok$/);
}

async function isClosed({ worker }: Broken): Promise<void> {
  await worker.app.get(DeliveryProcessor, { strict: false }).worker.close();
  expect(await consuming(worker)).toBe('it has stopped consuming');
}

async function isPaused({ worker }: Broken): Promise<void> {
  const consumer = worker.app.get(DeliveryProcessor, { strict: false }).worker;
  await consumer.pause();
  expect(await consuming(worker)).toBe('its consumer is paused');
  void consumer.resume();
  await says(worker, /^ok$/);
}

test('a worker whose process lives says why it does not consume, and only then', async () => {
  const ends = await Promise.allSettled(
    [opensNoSession, cannotReachPostgres, isClosed, isPaused].map(withWorker),
  );
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
});
