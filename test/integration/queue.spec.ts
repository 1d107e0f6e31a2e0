import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueConfig } from '#libs/config';
import { createLogger, NO_TRACING } from '#libs/observability';
import {
  ComeBackLater,
  DeliveryQueue,
  MOST_IN_JOB,
  openQueueBackend,
  prepareQueueBackend,
  type DeliveryJobData,
  type DeliveryToEnqueue,
  workerOptions,
  type QueueBackend,
} from '#libs/queue';
import { Queue, Worker } from 'bullmq';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

/** Whose deliveries these are; its shard is one of several where there are. */
const CONSUMER = uuidv7();
const toEnqueue = (deliveryId: string, round = 0): DeliveryToEnqueue => ({
  deliveryId,
  consumerId: CONSUMER,
  round,
});

const QUIET = createLogger({ level: 'silent', process: 'test' });

/** As @nestjs/bullmq opens them for the process. */
const queuesOf = (backend: QueueBackend): Queue<DeliveryJobData>[] =>
  backend.shards.map(({ name, options }) => new Queue(name, options));

describe.each([
  { kind: 'redis', shards: 1 },
  { kind: 'redis', shards: 4 },
  { kind: 'postgres', shards: 1 },
  { kind: 'postgres', shards: 4 },
] as const)('the queue on $kind in $shards shard(s)', ({ kind, shards }) => {
  let database: TestDatabase;
  let config: QueueConfig;
  let backend: QueueBackend;
  let queue: Queue<DeliveryJobData>;
  let queues: Queue<DeliveryJobData>[];
  let deliveries: DeliveryQueue;

  beforeAll(async () => {
    database = await createTestDatabase();
    const namespace = `q${uuidv7().replaceAll('-', '')}`;
    config =
      kind === 'redis'
        ? { backend: 'redis', url: process.env['TEST_REDIS_URL'] ?? '', namespace, shards }
        : { backend: 'postgres', url: database.url, namespace, shards };
    await prepareQueueBackend(config);
    backend = openQueueBackend(config);
    queues = queuesOf(backend);
    deliveries = new DeliveryQueue(backend, queues, NO_TRACING, QUIET);
    const shard = backend.shards[deliveries.shardOf(CONSUMER)];
    if (shard === undefined) throw new Error('a consumer has a shard');
    queue = new Queue(shard.name, shard.options);
    await queue.waitUntilReady();
  });
  afterAll(async () => {
    await Promise.all([queue, ...queues].map((each) => each.close()));
    await backend.close();
    await database.drop();
  });

  /** Runs a worker until `done`; answers what it was given, in order. */
  async function work(
    process: (deliveryId: string, seenBefore: number) => void,
    done: (seen: readonly string[]) => boolean,
  ): Promise<string[]> {
    const seen: string[] = [];
    const job = ({ data }: { data: DeliveryJobData }): Promise<void> => {
      for (const { deliveryId } of data.deliveries) {
        const before = seen.filter((id) => id === deliveryId).length;
        seen.push(deliveryId);
        process(deliveryId, before);
      }
      return Promise.resolve();
    };
    const workers = deliveries.together(
      backend.shards.map(
        ({ name, options }) => new Worker(name, job, { ...workerOptions(shards), ...options }),
      ),
    );
    await workers.ready();
    const running = workers.run();
    try {
      await waitUntil(() => done(seen), {
        what: () => `the worker; it saw ${seen.join()}`,
      });
    } finally {
      await workers.close(false);
      await running;
    }
    return seen;
  }

  it('hands out what was put in, once, although it was put in twice', async () => {
    const ids = [uuidv7(), uuidv7(), uuidv7()];
    const jobs = ids.map((id) => toEnqueue(id));
    await deliveries.enqueue(jobs);
    await deliveries.enqueue(jobs);
    expect(
      await work(
        () => undefined,
        (seen) => seen.length >= 3,
      ),
    ).toEqual(ids);
    expect(await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'completed', 'failed')).toBe(0);
  });

  it('takes a delivery again as soon as its job has ended, and in a new round even before', async () => {
    const deliveryId = uuidv7();
    await deliveries.enqueue([toEnqueue(deliveryId)]);
    await work(
      () => undefined,
      (seen) => seen.length === 1,
    );
    await deliveries.enqueue([toEnqueue(deliveryId), toEnqueue(deliveryId, 1)]);
    expect(
      await work(
        () => undefined,
        (seen) => seen.length === 2,
      ),
    ).toEqual([deliveryId, deliveryId]);
  });

  it('brings a job back when it was asked to, and after a fault of ours', async () => {
    const later = uuidv7();
    const faulty = uuidv7();
    await deliveries.enqueue([toEnqueue(later)]);
    await deliveries.enqueue([toEnqueue(faulty)]);
    const seen = await work(
      (id, before) => {
        if (id === later && before < 3) throw new ComeBackLater(before * 20);
        if (id === faulty && before < 1) throw new Error('a fault of ours');
      },
      (all) =>
        all.filter((id) => id === later).length === 4 && all.filter((id) => id === faulty).length === 2,
    );
    expect(seen).toHaveLength(6);
    expect(await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'completed', 'failed')).toBe(0);
  });

  it('lets what is due now share jobs, in its order, and gives what is due later jobs of their own', async () => {
    const count = 2 * MOST_IN_JOB + 1;
    const ids = Array.from({ length: count }, () => uuidv7());
    const later = [uuidv7(), uuidv7()];
    await deliveries.enqueue([
      ...ids.map((id) => toEnqueue(id)),
      ...later.map((id) => ({ ...toEnqueue(id), dueInMs: 60_000 })),
    ]);
    expect(await deliveries.counts(2_000)).toEqual({ waiting: 3, active: 0, delayed: 2 });
    expect(
      await work(
        () => undefined,
        (seen) => seen.length === count,
      ),
    ).toEqual(ids);
    expect(await deliveries.counts(2_000)).toEqual({ waiting: 0, active: 0, delayed: 2 });
    for (const id of later) await queue.remove(`${id}-0`);
    expect(await deliveries.counts(2_000)).toEqual({ waiting: 0, active: 0, delayed: 0 });
  });

  it('gives one that shares a job another of its own when it is due later', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    const both = [toEnqueue(first), toEnqueue(second)];
    await deliveries.enqueue(both);
    await deliveries.enqueue(both.map((delivery) => ({ ...delivery, dueInMs: 50 })));
    const seen = await work(
      () => undefined,
      (all) => all.length === 4,
    );
    expect(seen.slice(0, 2)).toEqual([first, second]);
    expect(new Set(seen.slice(2))).toEqual(new Set([first, second]));
  });

  it('keeps only ids in a job', async () => {
    const deliveryId = uuidv7();
    await deliveries.enqueue([toEnqueue(deliveryId, 4)]);
    const job = await queue.getJob(`${deliveryId}-4`);
    expect(job?.data).toEqual({ deliveries: [{ deliveryId, round: 4 }] });
    await job?.remove();
  });

  it('keeps a consumer’s deliveries in one shard, and all shards are counted and consumed', async () => {
    const consumers = Array.from({ length: 16 }, () => uuidv7());
    const jobs = consumers.flatMap((consumerId) => [
      { deliveryId: uuidv7(), consumerId, round: 0 },
      { deliveryId: uuidv7(), consumerId, round: 0 },
    ]);
    await deliveries.enqueue(jobs);
    const used = new Set(consumers.map((consumerId) => deliveries.shardOf(consumerId)));
    expect(used.size > 1).toBe(shards > 1);
    expect((await deliveries.counts(2_000)).waiting).toBeGreaterThanOrEqual(used.size);
    const seen = await work(
      () => undefined,
      (all) => all.length === jobs.length,
    );
    expect(new Set(seen)).toEqual(new Set(jobs.map(({ deliveryId }) => deliveryId)));
    for (const consumerId of consumers) {
      const own = jobs.filter((job) => job.consumerId === consumerId).map(({ deliveryId }) => deliveryId);
      expect(seen.filter((id) => own.includes(id))).toEqual(own);
    }
  });

  it('removes the queues that there were when there were more shards or fewer, and no other', async () => {
    const former = openQueueBackend({ ...config, shards: 2 });
    const formerQueues = queuesOf(former);
    const formerly = new DeliveryQueue(former, formerQueues, NO_TRACING, QUIET);
    const consumers = Array.from({ length: 8 }, () => uuidv7());
    const jobs = consumers.map((consumerId) => ({
      deliveryId: uuidv7(),
      consumerId,
      round: 0,
      dueInMs: 60_000,
    }));
    try {
      await waitUntil(() => formerly.isReachable(), { what: 'its connection' });
      await formerly.enqueue(jobs);
      await formerly.mark('formerly');
      const isLeftOver = kind === 'redis' && shards === 1;
      expect(await deliveries.forgetFormerShards()).toEqual(
        isLeftOver ? ['deliveries-0', 'deliveries-1'] : [],
      );
      expect(await deliveries.forgetFormerShards()).toEqual([]);
      const kept = isLeftOver ? 0 : jobs.length;
      expect(await formerly.counts(2_000)).toEqual({ waiting: 0, active: 0, delayed: kept });
      expect((await deliveries.counts(2_000)).delayed).toBe(shards === 1 ? 0 : kept);
    } finally {
      await Promise.all(formerQueues.map((each) => each.close()));
      await former.close();
    }
  });

  it('knows by its marks which shards were emptied, and that there were more or fewer', async () => {
    const all = new Set(Array.from({ length: shards }, (_, shard) => shard));
    expect(await deliveries.shardsWithout(null)).toEqual(all);
    const mark = await deliveries.mark('ours');
    expect(await deliveries.shardsWithout(mark)).toEqual(new Set());
    expect(await deliveries.shardsWithout(await deliveries.mark('others').then(() => mark))).toEqual(
      kind === 'redis' ? all : new Set(),
    );
    expect(await deliveries.shardsWithout(mark.replace(/^\d+/, '7'))).toEqual(all);
    const [first] = backend.shards;
    if (first === undefined || backend.marker === null) return;
    const again = await deliveries.mark('ours again');
    await backend.marker.write(first, 'somebody else’s');
    expect(await deliveries.shardsWithout(again)).toEqual(new Set([0]));
  });
});
