import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueConfig } from '#libs/config';
import {
  ComeBackLater,
  DELIVERIES_QUEUE,
  DeliveryQueue,
  MOST_IN_JOB,
  openQueueBackend,
  prepareQueueBackend,
  WORKER_OPTIONS,
  type DeliveryJobData,
  type QueueBackend,
} from '#libs/queue';
import { Queue, Worker } from 'bullmq';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

describe.each(['redis', 'postgres'] as const)('the queue on %s', (kind) => {
  let database: TestDatabase;
  let backend: QueueBackend;
  let queue: Queue<DeliveryJobData>;
  let deliveries: DeliveryQueue;

  beforeAll(async () => {
    database = await createTestDatabase();
    const namespace = `q${uuidv7().replaceAll('-', '')}`;
    const config: QueueConfig =
      kind === 'redis'
        ? { backend: 'redis', url: process.env['TEST_REDIS_URL'] ?? '', namespace }
        : { backend: 'postgres', url: database.url, namespace };
    await prepareQueueBackend(config);
    backend = openQueueBackend(config);
    queue = new Queue(DELIVERIES_QUEUE, backend.options);
    deliveries = new DeliveryQueue(queue, backend);
    await queue.waitUntilReady();
  });
  afterAll(async () => {
    await queue.close();
    await backend.close();
    await database.drop();
  });

  /** Runs a worker until `done`; answers what it was given, in order. */
  async function work(
    process: (deliveryId: string, seenBefore: number) => void,
    done: (seen: readonly string[]) => boolean,
  ): Promise<string[]> {
    const seen: string[] = [];
    const worker = new Worker<DeliveryJobData>(
      DELIVERIES_QUEUE,
      async ({ data }) => {
        for (const { deliveryId } of data.deliveries) {
          const before = seen.filter((id) => id === deliveryId).length;
          seen.push(deliveryId);
          process(deliveryId, before);
        }
      },
      { ...WORKER_OPTIONS, ...backend.options, autorun: true },
    );
    try {
      await waitUntil(() => done(seen), {
        deadlineMs: 15_000,
        what: () => `the worker; it saw ${seen.join()}`,
      });
    } finally {
      await worker.close();
    }
    return seen;
  }

  it('hands out what was put in, once, although it was put in twice', async () => {
    const ids = [uuidv7(), uuidv7(), uuidv7()];
    const jobs = ids.map((deliveryId) => ({ deliveryId, round: 0 }));
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
    await deliveries.enqueue([{ deliveryId, round: 0 }]);
    await work(
      () => undefined,
      (seen) => seen.length === 1,
    );
    await deliveries.enqueue([
      { deliveryId, round: 0 },
      { deliveryId, round: 1 },
    ]);
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
    await deliveries.enqueue([{ deliveryId: later, round: 0 }]);
    await deliveries.enqueue([{ deliveryId: faulty, round: 0 }]);
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
      ...ids.map((deliveryId) => ({ deliveryId, round: 0 })),
      ...later.map((deliveryId) => ({ deliveryId, round: 0, dueInMs: 60_000 })),
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
    const both = [
      { deliveryId: first, round: 0 },
      { deliveryId: second, round: 0 },
    ];
    await deliveries.enqueue(both);
    await deliveries.enqueue(both.map((delivery) => ({ ...delivery, dueInMs: 50 })));
    expect(
      await work(
        () => undefined,
        (seen) => seen.length === 4,
      ),
    ).toEqual([first, second, first, second]);
  });

  it('keeps only ids in a job', async () => {
    const deliveryId = uuidv7();
    await deliveries.enqueue([{ deliveryId, round: 4 }]);
    const job = await queue.getJob(`${deliveryId}-4`);
    expect(job?.data).toEqual({ deliveries: [{ deliveryId, round: 4 }] });
    await job?.remove();
  });
});
