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

const lost = async ({ metrics }: OpenQueue): Promise<number> =>
  (await metrics.enqueueFailures.get()).values.reduce((sum, { value }) => sum + value, 0);

const added = ({ queue }: OpenQueue, consumerId: string): Promise<true> =>
  waitUntil(() => queue.addConsumers([consumerId]).then(() => true as const), { what: 'the queue' });

describe.each(QUEUE_SERVERS)('the queue on %s', (kind) => {
  let server: QueueServer;
  beforeAll(async () => {
    server = await queueServer(kind);
  });
  afterAll(() => server.remove());

  it('works in a process that started while its server was away, when that is back', async () => {
    await server.stop();
    await using open = await openQueue(server.config, { wait: false });
    const working = open.work();
    await expect(open.queue.counts(500)).rejects.toThrow(QueueUnavailableError);

    await server.start();
    await using worker = await working;
    const consumerId = randomUUID();
    await added(open, consumerId);
    await worker.waitForStarted(1);
  });

  it('works again in a process whose server was restarted, and what could not be added was counted', async () => {
    await using open = await openQueue(server.config);
    await using worker = await open.work();
    const reconnected: true[] = [];
    open.queue.onReconnect(() => reconnected.push(true));
    const [one = '', another = '', third = ''] = Array.from({ length: 3 }, () => randomUUID());
    await added(open, one);
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
    expect(await lost(open)).toBe(2);

    await server.start();
    await added(open, third);
    await worker.waitForStarted(2);
    await open.untilEmpty();
    expect(worker.started.map(({ consumerId }) => consumerId)).toEqual([one, third]);
    expect(reconnected).toHaveLength(kind === 'redis' ? 1 : 0);
  });

  it('takes what a process enqueues at the very end', async () => {
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

  it('keeps no process from ending while its server answers nothing', async () => {
    const open = await openQueue(server.config);
    const never = Promise.withResolvers<void>();
    const worker = await open.work(() => never.promise);
    await added(open, randomUUID());
    await worker.waitForStarted(1);
    const resume = await server.suspend();
    try {
      const endsAtMs = performance.now();
      open.queue.enqueue([randomUUID()]);
      await worker.crash();
      await open[Symbol.asyncDispose]();
      // 2 s each for what is under way and for each connection, and 2 s for a busy machine.
      expect(performance.now() - endsAtMs).toBeLessThan(10_000);
    } finally {
      resume();
      never.resolve();
    }
  });

  if (kind === 'postgres') {
    it('works in a process whose first connection broke without a word while it looked for the tables', async () => {
      const other = new Client({ connectionString: server.config.url });
      other.on('error', () => undefined);
      await other.connect();
      // The tables that were just made must outlast the crash, which the test's server does not promise.
      await other.query('checkpoint');
      await other.query('begin');
      await other.query(`lock table ${server.config.namespace}.migration in access exclusive mode`);
      await using open = await openQueue(server.config);
      const pid = await waitUntil(
        async () =>
          (await other.query<{ pid: number }>('select pid from pg_locks where not granted')).rows[0]?.pid,
        { what: 'a connection that waits' },
      );
      // PostgreSQL then ends every connection and starts again.
      process.kill(pid, 'SIGKILL');
      const consumerId = randomUUID();
      await added(open, consumerId);
      // What the test before enqueued while the server answered nothing may be in the queue, too.
      await using worker = await open.work();
      const started = (): boolean => worker.started.some((one) => one.consumerId === consumerId);
      expect(await waitUntil(started, { what: 'the job to be taken' })).toBe(true);
      await other.end().catch(() => undefined);
    });

    it('keeps a process from starting whose tables were never made', async () => {
      const config = { ...server.config, namespace: 'never_made' };
      await using open = await openQueue(config);
      await expect(open.queue.onModuleInit()).rejects.toThrow(/migrat/);
      await expect(open.work()).rejects.toThrow(/migrat/);
      await openQueueBackend(config).close();
    });
  }
});

/** Starts a process with nothing but the queue, and ends it. @param atTheEnd is done by one of its modules, last */
async function runProcess(config: QueueConfig, atTheEnd: (queue: DispatchQueue) => void): Promise<void> {
  @Injectable()
  class Part implements OnApplicationShutdown {
    constructor(private readonly queue: DispatchQueue) {}

    onApplicationShutdown(): void {
      atTheEnd(this.queue);
    }
  }

  @Module({ providers: [Part] })
  class Parts {}

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
      Parts,
    ],
  })
  class Process {}

  const app = await NestFactory.createApplicationContext(Process, { logger: false });
  const queue = app.get(DispatchQueue, { strict: false });
  await waitUntil(() => queue.isReachable(), { what: 'the connection of the queue' });
  await app.close();
}
