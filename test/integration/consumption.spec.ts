import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { WorkerModule } from '#apps/worker/src/worker.module';
import { SHARD_CONSUMERS } from '#apps/worker/src/delivery/delivery-consumers';
import type { ShardConsumer } from '#apps/worker/src/delivery/shard-consumer';
import { ConfigModule, readConfig } from '#libs/config';
import { PIPELINE, type Database } from '#libs/database';
import { createLogger, ObservabilityModule, Readiness } from '#libs/observability';
import { DeliveryQueue, QueueModule } from '#libs/queue';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

interface RunningWorker {
  readonly app: INestApplicationContext;
  readonly namespace: string;
  /** What `/readyz` would say of its consuming. */
  consuming(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A worker in this process, so that its parts can be broken one by one. */
async function startWorker(): Promise<RunningWorker> {
  const database = await createTestDatabase();
  const namespace = `t${uuidv7().replaceAll('-', '')}`;
  const config = readConfig('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    QUEUE_NAMESPACE: namespace,
    SECRETS_KEYRING: `test:${randomBytes(32).toString('base64')}`,
  });
  const logger = createLogger({ level: 'silent', process: 'test' });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger),
      QueueModule.forRoot(config.queue),
      WorkerModule.forRoot(config.queue),
    ],
  })
  class Process {}

  const app = await NestFactory.createApplicationContext(Process, { logger: false });
  const readiness = app.get(Readiness, { strict: false });
  return {
    app,
    namespace,
    consuming: async () => (await readiness.report()).checks['worker'],
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

async function withWorker(broken: (worker: RunningWorker) => Promise<void>): Promise<void> {
  const worker = await startWorker();
  try {
    await says(worker, /^ok$/);
    await broken(worker);
  } finally {
    await worker.close();
  }
}

const says = (worker: RunningWorker, words: RegExp): Promise<true> =>
  waitUntil(
    async () => {
      expect(await worker.consuming()).toMatch(words);
      return true as const;
    },
    { what: `the worker to say ${String(words)}`, everyMs: 100 },
  );

const jobs = (count: number) =>
  Array.from({ length: count }, () => ({ deliveryId: uuidv7(), consumerId: uuidv7(), round: 0, dueInMs: 1 }));

async function takesNothing(worker: RunningWorker): Promise<void> {
  const connection = new Redis(process.env['TEST_REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
  const engine = new Queue('deliveries', { connection, prefix: worker.namespace });
  // From outside, as somebody with a BullMQ tool might: one job, then none for longer than is tolerated.
  await engine.setGlobalRateLimit(1, 13_000);
  await worker.app.get(DeliveryQueue, { strict: false }).enqueue(jobs(5));
  await says(worker, /^jobs wait and there is room, yet it has taken none for \d+ s$/);
  await engine.removeGlobalRateLimit();
  await says(worker, /^ok$/);
  await engine.close();
  connection.disconnect();
}

async function cannotReachPostgres(worker: RunningWorker): Promise<void> {
  const db = worker.app.get<Database>(PIPELINE, { strict: false });
  // Every connection that takes and records is busy for good, as far as anybody waits for it.
  const stuck = Array.from({ length: 6 }, () => sql`select pg_sleep(14)`.execute(db));
  await says(worker, /^PostgreSQL has not answered on the connections that take and record for \d+ s$/);
  await Promise.all(stuck);
  await says(worker, /^ok$/);
}

function consumerOf({ app }: RunningWorker): ShardConsumer['worker'] {
  const [consumer] = app.get<readonly ShardConsumer[]>(SHARD_CONSUMERS, { strict: false });
  if (consumer === undefined) throw new Error('a worker has a consumer');
  return consumer.worker;
}

async function isClosed(worker: RunningWorker): Promise<void> {
  const consumer = consumerOf(worker);
  await consumer.close();
  expect(await worker.consuming()).toBe('it has stopped consuming');
}

async function isPaused(worker: RunningWorker): Promise<void> {
  const consumer = consumerOf(worker);
  await consumer.pause();
  expect(await worker.consuming()).toBe('its consumer is paused');
  void consumer.resume();
  await says(worker, /^ok$/);
}

test('a worker whose process lives says why it does not consume, and only then', async () => {
  const ends = await Promise.allSettled(
    [takesNothing, cannotReachPostgres, isClosed, isPaused].map(withWorker),
  );
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
});
