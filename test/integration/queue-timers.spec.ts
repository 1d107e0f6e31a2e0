import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openQueue, type OpenQueue } from '#test/support/open-queue';
import { queueServer, QUEUE_SERVERS, type QueueServer } from '#test/support/queue-server';

const HOUR_MS = 3_600_000;
/** `npm run test:long`: as many consumers with a timer as an installation may have. */
const CONSUMERS = process.env['LONG_TESTS'] === 'true' ? 12_000 : 2_000;
/** Allows for a busy machine; on an idle one, PostgreSQL needs about 15 s for 12,000. */
const CONSUMERS_WITHIN_MS = 120_000;

describe.each(QUEUE_SERVERS)('timer of a consumer on %s', (kind) => {
  let server: QueueServer;
  let open: OpenQueue;
  beforeAll(async () => {
    server = await queueServer(kind);
    open = await openQueue(server.config);
  });
  afterEach(() => open.untilEmpty());
  afterAll(async () => {
    await open[Symbol.asyncDispose]();
    await server.remove();
  });

  it('a timer that is set twice fires once, when it is due', async () => {
    const consumerId = randomUUID();
    const setAtMs = performance.now();
    await open.queue.addTimers([{ consumerId, inMs: 400 }]);
    await open.queue.addTimers([{ consumerId, inMs: 400 }]);
    expect(await open.queue.counts(10_000)).toEqual({ waiting: 0, active: 0, delayed: 1 });
    await using worker = await open.work();
    const [fired] = await worker.waitForStarted(1);
    expect(fired).toMatchObject({ name: 'due', consumerId });
    expect((fired?.atMs ?? 0) - setAtMs).toBeGreaterThanOrEqual(399);
    await open.untilEmpty();
    expect(worker.started).toHaveLength(1);
  });

  it.each([
    { how: 'a later one', firstMs: 200, inMs: 700 },
    { how: 'an earlier one', firstMs: HOUR_MS, inMs: 300 },
  ])('the timer of a consumer is replaced by $how', async ({ firstMs, inMs }) => {
    const consumers = [randomUUID(), randomUUID(), randomUUID()];
    await open.queue.addTimers(consumers.map((consumerId) => ({ consumerId, inMs: firstMs })));
    const replacedAtMs = performance.now();
    await open.queue.addTimers(consumers.map((consumerId) => ({ consumerId, inMs })));
    await using worker = await open.work();
    await worker.waitForStarted(3);
    await open.untilEmpty();
    expect(worker.started.map(({ consumerId }) => consumerId).toSorted()).toEqual(consumers.toSorted());
    for (const { atMs } of worker.started) expect(atMs - replacedAtMs).toBeGreaterThanOrEqual(inMs - 1);
  });

  it('a timer that is set while the previous one is processed fires after it', async () => {
    const consumerId = randomUUID();
    const firstJob = Promise.withResolvers<void>();
    await using worker = await open.work(() => firstJob.promise);
    await open.queue.addTimers([{ consumerId, inMs: 1 }]);
    await worker.waitForStarted(1);
    await open.queue.addTimers([{ consumerId, inMs: HOUR_MS }]);
    await open.queue.addTimers([{ consumerId, inMs: 200 }]);
    const endedAtMs = performance.now();
    firstJob.resolve();
    const [, next] = await worker.waitForStarted(2);
    expect((next?.atMs ?? 0) - endedAtMs).toBeGreaterThanOrEqual(199);
    await open.untilEmpty();
    expect(worker.started).toHaveLength(2);
  });

  it('a timer and a job of the same consumer do not affect each other', async () => {
    const consumerId = randomUUID();
    await open.queue.addTimers([{ consumerId, inMs: HOUR_MS }]);
    await open.queue.addConsumers([consumerId]);
    expect(await open.queue.counts(10_000)).toEqual({ waiting: 1, active: 0, delayed: 1 });
    await using worker = await open.work();
    await worker.waitForStarted(1);
    await open.queue.addTimers([{ consumerId, inMs: 1 }]);
    await worker.waitForStarted(2);
    expect(worker.started.map(({ name }) => name)).toEqual(['deliver', 'due']);
  });

  it(`hands out ${String(CONSUMERS)} consumers once each when all their timers are due together`, async () => {
    const consumers = Array.from({ length: CONSUMERS }, () => randomUUID());
    await open.queue.addTimers(consumers.map((consumerId) => ({ consumerId, inMs: 1 })));
    await using worker = await open.work(undefined, 50);
    await worker.waitForStarted(CONSUMERS, CONSUMERS_WITHIN_MS);
    await open.untilEmpty();
    expect(worker.started.map(({ consumerId }) => consumerId).toSorted()).toEqual(consumers.toSorted());
  });
});
