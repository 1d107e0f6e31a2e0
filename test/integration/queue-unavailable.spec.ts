import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigModule, readConfig, type QueueConfig } from '#libs/config';
import { ObservabilityModule } from '#libs/observability';
import { DispatchQueue, openQueueBackend, QueueUnavailableError, JobQueueModule } from '#libs/queue';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import { openQueue, QUIET, type OpenQueue } from '#test/support/open-queue';
import { queueServer, QUEUE_SERVERS, type QueueServer } from '#test/support/queue-server';
import { waitUntil } from '#test/support/wait-until';

const failedAdds = async ({ metrics }: OpenQueue): Promise<number> =>
  (await metrics.enqueueFailures.get()).values.reduce((sum, { value }) => sum + value, 0);

const untilAdded = ({ queue }: OpenQueue, consumerId: string): Promise<true> =>
  waitUntil(() => queue.addConsumers([consumerId]).then(() => true as const), { what: 'the queue to work' });

describe.each(QUEUE_SERVERS)('queue on %s', (kind) => {
  let server: QueueServer;
  beforeAll(async () => {
    server = await queueServer(kind);
  });
  afterAll(() => server.remove());

  it('the queue of a process that started without its server works once the server is reachable', async () => {
    await server.stop();
    await using open = await openQueue(server.config, { wait: false });
    const working = open.work();
    await expect(open.queue.counts(500)).rejects.toThrow(QueueUnavailableError);

    await server.start();
    await using worker = await working;
    const consumerId = randomUUID();
    await untilAdded(open, consumerId);
    await worker.waitForStarted(1);
  });

  it('the queue works again after a restart of its server, and counts the consumers it could not add', async () => {
    await using open = await openQueue(server.config);
    await using worker = await open.work();
    const reconnected: true[] = [];
    open.queue.onReconnect(() => reconnected.push(true));
    const [one = '', another = '', third = ''] = Array.from({ length: 3 }, () => randomUUID());
    await untilAdded(open, one);
    await worker.waitForStarted(1);
    await open.untilEmpty();

    await server.stop();
    await expect(open.queue.addConsumers([another])).rejects.toThrow(QueueUnavailableError);
    await expect(open.queue.addTimers([{ consumerId: another, inMs: 1 }])).rejects.toThrow(
      QueueUnavailableError,
    );
    open.queue.enqueue([another, third]);
    open.queue.enqueue([another]);
    await open.queue.flush();
    expect(await failedAdds(open)).toBe(2);

    await server.start();
    await untilAdded(open, third);
    await worker.waitForStarted(2);
    await open.untilEmpty();
    expect(worker.started.map(({ consumerId }) => consumerId)).toEqual([one, third]);
    expect(reconnected).toHaveLength(kind === 'redis' ? 1 : 0);
  });

  it('keeps every consumer that a process enqueues in its last shutdown hook', async () => {
    const consumers = Array.from({ length: 300 }, () => randomUUID());
    await runProcess(server.config, (queue) => {
      for (const consumerId of consumers) queue.enqueue([consumerId]);
    });
    await using open = await openQueue(server.config);
    expect(await open.queue.counts(10_000)).toEqual({ waiting: consumers.length, active: 0, delayed: 0 });
    await using worker = await open.work();
    await worker.waitForStarted(consumers.length);
    await open.untilEmpty();
  });

  it('a process ends within 10 s while its queue server does not answer', async () => {
    const open = await openQueue(server.config);
    const unfinished = Promise.withResolvers<void>();
    const worker = await open.work(() => unfinished.promise);
    await untilAdded(open, randomUUID());
    await worker.waitForStarted(1);
    const resume = await server.suspend();
    try {
      const endsAtMs = performance.now();
      open.queue.enqueue([randomUUID()]);
      await worker.crash();
      await open[Symbol.asyncDispose]();
      // 2 s for requests in flight, 2 s for each connection, and 2 s for a busy machine.
      expect(performance.now() - endsAtMs).toBeLessThan(10_000);
    } finally {
      resume();
      unfinished.resolve();
    }
  });

  if (kind === 'postgres') {
    it('the queue works after its first connection is lost while it checks that its tables exist', async () => {
      const locker = new Client({ connectionString: server.config.url });
      locker.on('error', () => undefined);
      await locker.connect();
      // The new tables must survive the crash, which the test server does not guarantee without a checkpoint.
      await locker.query('checkpoint');
      await locker.query('begin');
      await locker.query(`lock table ${server.config.namespace}.migration in access exclusive mode`);
      await using open = await openQueue(server.config);
      const pid = await waitUntil(
        async () =>
          (await locker.query<{ pid: number }>('select pid from pg_locks where not granted')).rows[0]?.pid,
        { what: 'a connection to wait for the lock' },
      );
      // PostgreSQL then closes every connection and restarts.
      process.kill(pid, 'SIGKILL');
      const consumerId = randomUUID();
      await untilAdded(open, consumerId);
      // The queue may also hold the consumer that the previous test enqueued while the server did not answer.
      await using worker = await open.work();
      const started = (): boolean => worker.started.some((one) => one.consumerId === consumerId);
      expect(await waitUntil(started, { what: 'the job to start' })).toBe(true);
      await locker.end().catch(() => undefined);
    });

    it('a process refuses to start when the tables of its queue do not exist', async () => {
      const config = { ...server.config, namespace: 'never_made' };
      await using open = await openQueue(config);
      await expect(open.queue.onModuleInit()).rejects.toThrow(/migrat/);
      await expect(open.work()).rejects.toThrow(/migrat/);
      await openQueueBackend(config).close();
    });
  }
});

/** Starts an application that has only the queue, and closes it. @param atTheEnd runs in its shutdown hook */
async function runProcess(config: QueueConfig, atTheEnd: (queue: DispatchQueue) => void): Promise<void> {
  @Injectable()
  class ShutdownHook implements OnApplicationShutdown {
    constructor(private readonly queue: DispatchQueue) {}

    onApplicationShutdown(): void {
      atTheEnd(this.queue);
    }
  }

  @Module({ providers: [ShutdownHook] })
  class ShutdownModule {}

  @Module({
    imports: [
      ConfigModule.forRoot(
        readConfig('worker', {
          DATABASE_URL: config.backend === 'postgres' ? config.url : 'postgres://none@127.0.0.1/none',
          REDIS_URL: config.backend === 'redis' ? config.url : undefined,
          QUEUE_BACKEND: config.backend,
          QUEUE_NAMESPACE: config.namespace,
          SECRETS_KEYRING: `test:${randomBytes(32).toString('base64')}`,
        }),
      ),
      ObservabilityModule.forRoot(QUIET),
      JobQueueModule.forRoot(),
      ShutdownModule,
    ],
  })
  class ProcessModule {}

  const app = await NestFactory.createApplicationContext(ProcessModule, { logger: false });
  const queue = app.get(DispatchQueue, { strict: false });
  await waitUntil(() => queue.isReachable(), { what: 'the queue to be reachable' });
  await app.close();
}
