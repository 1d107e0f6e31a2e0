import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DeliveryProcessor } from '#apps/worker/src/jobs/delivery.processor';
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

/** A worker in this process, so that a scenario can break one of its parts. */
interface WorkerParts {
  readonly services: DispatcherInProcess;
  readonly namespace: string;
  readonly worker: WorkerInProcess;
}

async function withWorker(scenario: (parts: WorkerParts) => Promise<void>): Promise<void> {
  const namespace = `t${randomUUID().replaceAll('-', '')}`;
  const services = await startDispatcherInProcess({ QUEUE_NAMESPACE: namespace });
  try {
    const worker = await services.startWorker();
    await reports(worker, /^ok$/);
    await scenario({ services, namespace, worker });
  } finally {
    await services.close();
  }
}

/** The result of the `/readyz` check that covers consuming. */
const readinessCheck = async ({ app }: WorkerInProcess): Promise<string | undefined> =>
  (await app.get(Readiness, { strict: false }).report()).checks['worker'];

const reports = (worker: WorkerInProcess, pattern: RegExp): Promise<true> =>
  waitUntil(
    async () => {
      expect(await readinessCheck(worker)).toMatch(pattern);
      return true as const;
    },
    { what: `the worker's readiness check to match ${String(pattern)}`, everyMs: 100 },
  );

async function opensNoSession({ services, namespace, worker }: WorkerParts): Promise<void> {
  const connection = new Redis(process.env['TEST_REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
  const queue = new Queue(DELIVERIES_QUEUE, { connection, prefix: namespace });
  const consumers = await Promise.all(Array.from({ length: 5 }, () => addConsumer(services)));
  // An operator could do this with a BullMQ tool: one job, then none for longer than the check tolerates.
  await queue.setGlobalRateLimit(1, 13_000);
  await services.app.get(DispatchQueue, { strict: false }).addConsumers(consumers);
  await reports(worker, /^jobs wait and slots are free, but it has opened no session for \d+ s$/);
  await queue.removeGlobalRateLimit();
  await reports(worker, /^ok$/);
  await queue.close();
  connection.disconnect();
}

async function cannotReachPostgres({ worker }: WorkerParts): Promise<void> {
  const { db } = worker.app.get(Pipeline, { strict: false });
  // Every connection that fetches and records is busy for longer than any caller waits.
  const stuck = Array.from({ length: 6 }, () =>
    db.connection().execute(async (connection) => {
      for (let time = 0; time < 4; time += 1) await sql`select pg_sleep(4)`.execute(connection);
    }),
  );
  await reports(
    worker,
    /^it takes no jobs, since PostgreSQL has not answered on the connections that fetch and record for \d+ s$/,
  );
  await Promise.all(stuck);
  await reports(worker, /^ok$/);
}

async function isClosed({ worker }: WorkerParts): Promise<void> {
  await worker.app.get(DeliveryProcessor, { strict: false }).worker.close();
  expect(await readinessCheck(worker)).toBe('it has stopped consuming');
}

async function isPaused({ worker }: WorkerParts): Promise<void> {
  const consumer = worker.app.get(DeliveryProcessor, { strict: false }).worker;
  await consumer.pause();
  expect(await readinessCheck(worker)).toBe('its consumer is paused');
  void consumer.resume();
  await reports(worker, /^ok$/);
}

test('the readiness check of a running worker reports each reason for not consuming, and is ok otherwise', async () => {
  const results = await Promise.allSettled(
    [opensNoSession, cannotReachPostgres, isClosed, isPaused].map(withWorker),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
});
