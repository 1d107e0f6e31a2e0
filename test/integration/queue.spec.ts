import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openQueue, type OpenQueue } from '#test/support/open-queue';
import { queueServer, QUEUE_SERVERS, type QueueServer } from '#test/support/queue-server';
import { waitUntil } from '#test/support/wait-until';

const HOUR_MS = 3_600_000;

const EMPTY = { waiting: 0, active: 0, delayed: 0 };

const newConsumers = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** A session waits for this promise until the test settles it. */
const deferred = (): PromiseWithResolvers<void> => Promise.withResolvers();

describe.each(QUEUE_SERVERS)('queue on %s', (kind) => {
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

  it('hands out a consumer once when it is added several times while its job waits', async () => {
    const consumers = newConsumers(500);
    await open.queue.addConsumers([...consumers, ...consumers]);
    await Promise.all([open.queue.addConsumers(consumers), open.queue.addConsumers(consumers)]);
    expect(await open.queue.counts(10_000)).toEqual({ ...EMPTY, waiting: 500 });

    await using worker = await open.work(undefined, 1);
    await worker.waitForStarted(500);
    await open.untilEmpty();
    expect(worker.started.map(({ name, consumerId }) => `${name} ${consumerId}`)).toEqual(
      consumers.map((consumerId) => `deliver ${consumerId}`),
    );
  });

  it('the queue accepts 12,000 consumers in one call', async () => {
    await open.queue.addConsumers(newConsumers(12_000));
    expect(await open.queue.counts(10_000)).toEqual({ ...EMPTY, waiting: 12_000 });
    await server.empty();
  });

  it('a job of the queue holds only the id of its consumer', async () => {
    const [consumerId = ''] = newConsumers(1);
    await open.queue.addConsumers([consumerId]);
    const [job] = await open.engine.getJobs(['waiting']);
    expect(job?.data).toEqual({ consumerId });
    await job?.remove();
  });

  it('a hint reaches processes that listen, except with the queue on PostgreSQL, which has none', async () => {
    const hinted: string[] = [];
    const arrives = open.queue.onHint((consumerIds) => hinted.push(...consumerIds));
    const hasHints = kind === 'redis';
    await waitUntil(() => arrives() === hasHints, { what: 'hints to arrive' });
    const consumers = newConsumers(2);
    open.queue.hint([...consumers, ...consumers]);
    await waitUntil(() => hinted.length > 0 === hasHints, { what: 'the hint' });
    expect(hinted).toEqual(hasHints ? consumers : []);
  });

  it('hands out a consumer again, once, when it was added several times while its job was active', async () => {
    const [consumerId = ''] = newConsumers(1);
    const sessionEnd = deferred();
    await using worker = await open.work(() => sessionEnd.promise);
    await open.queue.addConsumers([consumerId]);
    await worker.waitForStarted(1);

    for (let times = 0; times < 5; times += 1) await open.queue.addConsumers([consumerId]);
    expect(await open.queue.counts(10_000)).toEqual({ ...EMPTY, active: 1 });
    const endedAtMs = performance.now();
    sessionEnd.resolve();

    const [, again] = await worker.waitForStarted(2);
    expect(again?.atMs).toBeGreaterThanOrEqual(endedAtMs);
    await open.untilEmpty();
    expect(worker.started).toHaveLength(2);
  });

  it('a failed job blocks neither an add during the job nor a later add of its consumer', async () => {
    const [consumerId = ''] = newConsumers(1);
    const sessionEnd = deferred();
    await using worker = await open.work(() => sessionEnd.promise);
    await open.queue.addConsumers([consumerId]);
    await worker.waitForStarted(1);
    await open.queue.addConsumers([consumerId]);

    sessionEnd.reject(new Error('an internal error'));
    await worker.waitForStarted(2);
    await open.untilEmpty();
    await open.queue.addConsumers([consumerId]);
    await worker.waitForStarted(3);
    await open.untilEmpty();
    expect(worker.started).toHaveLength(3);
  });

  it('loses no add and never runs two sessions of a consumer, with random adds while sessions end', async () => {
    const consumers = newConsumers(8);
    const added = new Map<string, number>();
    const seen = new Map<string, number>();
    const inSession = new Set<string>();
    const overlapping: string[] = [];
    const session = async ({ data: { consumerId } }: { data: { consumerId: string } }): Promise<void> => {
      if (inSession.has(consumerId)) overlapping.push(consumerId);
      inSession.add(consumerId);
      seen.set(consumerId, added.get(consumerId) ?? 0);
      await pause(Math.random() * 4);
      inSession.delete(consumerId);
      if (Math.random() < 0.1) throw new Error('an internal error');
    };
    await using workers = new AsyncDisposableStack();
    for (let count = 0; count < 2; count += 1) workers.use(await open.work(session));

    const untilMs = performance.now() + 2_000;
    const add = async (): Promise<void> => {
      while (performance.now() < untilMs) {
        const some = consumers.filter(() => Math.random() < 0.4);
        for (const consumerId of some) added.set(consumerId, (added.get(consumerId) ?? 0) + 1);
        await open.queue.addConsumers(some);
      }
    };
    await Promise.all([add(), add(), add()]);
    await open.untilEmpty();
    expect(overlapping).toEqual([]);
    expect(seen).toEqual(added);
  });

  it('the queue loses no consumer that is added while a worker closes', async () => {
    const [consumerId = '', another = ''] = newConsumers(2);
    const sessionEnd = deferred();
    const closing = await open.work(() => sessionEnd.promise);
    await open.queue.addConsumers([consumerId]);
    await closing.waitForStarted(1);

    const closed = closing[Symbol.asyncDispose]();
    await open.queue.addConsumers([consumerId, another]);
    sessionEnd.resolve();
    await closed;
    // BullMQ may start one more job after `close()`.
    await using worker = await open.work();
    await open.untilEmpty();
    const started = [...closing.started, ...worker.started].map((job) => job.consumerId);
    expect(started.toSorted()).toEqual([consumerId, consumerId, another].toSorted());
  });

  it.each([
    ['right', 0],
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ])(
    'hands the job of a vanished worker whose clock was %s to another worker after 6 to 8 s',
    async (_, shiftMs) => {
      const [consumerId = ''] = newConsumers(1);
      const never = deferred();
      const now = Date.now;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
      onTestFinished(() => void vi.restoreAllMocks());
      const vanishing = await open.work(() => never.promise);
      await open.queue.addConsumers([consumerId]);
      const [first] = await vanishing.waitForStarted(1);
      await vanishing.crash();
      vi.restoreAllMocks();

      await using worker = await open.work();
      const [again] = await worker.waitForStarted(1);
      expect(again).toMatchObject({ consumerId, jobId: first?.jobId });
      // The lock starts with the job. The limit includes 2 s for a busy machine.
      const tookMs = (again?.atMs ?? 0) - (first?.atMs ?? 0);
      expect(tookMs).toBeGreaterThan(5_500);
      expect(tookMs).toBeLessThan(10_000);
      never.resolve();
    },
  );

  it('a session is notified that its job was lost, and its end does not affect the next job of the consumer', async () => {
    const [consumerId = ''] = newConsumers(1);
    const sessionEnds = [deferred(), deferred()];
    let sessions = 0;
    await using worker = await open.work(() => sessionEnds[sessions++]?.promise ?? Promise.resolve());
    const lost: string[] = [];
    worker.worker.on('lockRenewalFailed', (jobIds) => lost.push(...jobIds));
    const faults: string[] = [];
    worker.worker.on('error', ({ message }) => faults.push(message));
    await open.queue.addConsumers([consumerId]);
    const [first] = await worker.waitForStarted(1);
    await server.empty();
    await waitUntil(() => lost.length > 0, { what: 'the event lockRenewalFailed' });
    expect(lost).toEqual([first?.jobId]);

    await open.queue.addConsumers([consumerId]);
    const [, second] = await worker.waitForStarted(2);
    expect(second?.jobId).not.toBe(first?.jobId);
    await open.queue.addConsumers([consumerId]);
    sessionEnds[0]?.resolve();
    await waitUntil(() => faults.some((fault) => /Missing key .*moveToFinished/.test(fault)), {
      what: () => `the queue to refuse the end of the lost job; errors: ${faults.join()}`,
    });
    expect(await open.queue.counts(10_000)).toEqual({ ...EMPTY, active: 1 });
    sessionEnds[1]?.resolve();
    await worker.waitForStarted(3);
  });
});
