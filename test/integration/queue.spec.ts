import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openQueue, type OpenQueue } from '#test/support/open-queue';
import { queueServer, QUEUE_SERVERS, type QueueServer } from '#test/support/queue-server';
import { waitUntil } from '#test/support/wait-until';

const NOTHING = { waiting: 0, active: 0, delayed: 0 };

const newConsumers = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** What a session waits for until a test lets it go on. */
const gate = (): PromiseWithResolvers<void> => Promise.withResolvers();

describe.each(QUEUE_SERVERS)('the queue on %s', (kind) => {
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

  it('hands out a consumer once that is added several times while its job waits', async () => {
    const consumers = newConsumers(500);
    await open.queue.addConsumers([...consumers, ...consumers]);
    await Promise.all([open.queue.addConsumers(consumers), open.queue.addConsumers(consumers)]);
    expect(await open.queue.counts(10_000)).toEqual({ ...NOTHING, waiting: 500 });

    await using worker = await open.work(undefined, 1);
    await worker.waitForStarted(500);
    await open.untilEmpty();
    expect(worker.started.map(({ name, consumerId }) => `${name} ${consumerId}`)).toEqual(
      consumers.map((consumerId) => `deliver ${consumerId}`),
    );
  });

  it('takes 12,000 consumers at once', async () => {
    await open.queue.addConsumers(newConsumers(12_000));
    expect(await open.queue.counts(10_000)).toEqual({ ...NOTHING, waiting: 12_000 });
    await server.empty();
  });

  it('keeps only the consumer in a job', async () => {
    const [consumerId = ''] = newConsumers(1);
    await open.queue.addConsumers([consumerId]);
    const [job] = await open.engine.getJobs(['waiting']);
    expect(job?.data).toEqual({ consumerId });
    await job?.remove();
  });

  it('brings a consumer back once that was added while its job was active, when that has ended', async () => {
    const [consumerId = ''] = newConsumers(1);
    const ends = gate();
    await using worker = await open.work(() => ends.promise);
    await open.queue.addConsumers([consumerId]);
    await worker.waitForStarted(1);

    for (let times = 0; times < 5; times += 1) await open.queue.addConsumers([consumerId]);
    expect(await open.queue.counts(10_000)).toEqual({ ...NOTHING, active: 1 });
    const endedAtMs = performance.now();
    ends.resolve();

    const [, again] = await worker.waitForStarted(2);
    expect(again?.atMs).toBeGreaterThanOrEqual(endedAtMs);
    await open.untilEmpty();
    expect(worker.started).toHaveLength(2);
  });

  it('leaves nothing of a job that failed: what was added meanwhile comes, and what is added later', async () => {
    const [consumerId = ''] = newConsumers(1);
    const ends = gate();
    await using worker = await open.work(() => ends.promise);
    await open.queue.addConsumers([consumerId]);
    await worker.waitForStarted(1);
    await open.queue.addConsumers([consumerId]);

    ends.reject(new Error('a fault of ours'));
    await worker.waitForStarted(2);
    await open.untilEmpty();
    await open.queue.addConsumers([consumerId]);
    await worker.waitForStarted(3);
    await open.untilEmpty();
    expect(worker.started).toHaveLength(3);
  });

  it('loses no add and never has two sessions of a consumer, whatever is added while sessions end', async () => {
    const consumers = newConsumers(8);
    const added = new Map<string, number>();
    const seen = new Map<string, number>();
    const underWay = new Set<string>();
    const twice: string[] = [];
    const session = async ({ data: { consumerId } }: { data: { consumerId: string } }): Promise<void> => {
      if (underWay.has(consumerId)) twice.push(consumerId);
      underWay.add(consumerId);
      seen.set(consumerId, added.get(consumerId) ?? 0);
      await pause(Math.random() * 4);
      underWay.delete(consumerId);
      if (Math.random() < 0.1) throw new Error('a fault of ours');
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
    expect(twice).toEqual([]);
    expect(seen).toEqual(added);
  });

  it('loses nothing that is added while a worker closes', async () => {
    const [consumerId = '', another = ''] = newConsumers(2);
    const ends = gate();
    const closing = await open.work(() => ends.promise);
    await open.queue.addConsumers([consumerId]);
    await closing.waitForStarted(1);

    const closed = closing[Symbol.asyncDispose]();
    await open.queue.addConsumers([consumerId, another]);
    ends.resolve();
    await closed;
    // BullMQ may take one more job after `close()`.
    await using worker = await open.work();
    await open.untilEmpty();
    const started = [...closing.started, ...worker.started].map((job) => job.consumerId);
    expect(started.toSorted()).toEqual([consumerId, consumerId, another].toSorted());
  });

  it('gives the sessions of a worker that vanished to another within 8 s', async () => {
    const [consumerId = ''] = newConsumers(1);
    const never = gate();
    const vanishing = await open.work(() => never.promise);
    await open.queue.addConsumers([consumerId]);
    const [first] = await vanishing.waitForStarted(1);
    await vanishing.crash();

    await using worker = await open.work();
    const [again] = await worker.waitForStarted(1);
    expect(again).toMatchObject({ consumerId, jobId: first?.jobId });
    // The lock was set when it began. A busy machine is given 2 s.
    const tookMs = (again?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(tookMs).toBeGreaterThan(5_500);
    expect(tookMs).toBeLessThan(10_000);
    never.resolve();
  });

  it('tells a session whose job was lost, which then disturbs no other of its consumer', async () => {
    const [consumerId = ''] = newConsumers(1);
    const gates = [gate(), gate()];
    let sessions = 0;
    await using worker = await open.work(() => gates[sessions++]?.promise ?? Promise.resolve());
    const lost: string[] = [];
    worker.worker.on('lockRenewalFailed', (jobIds) => lost.push(...jobIds));
    const faults: string[] = [];
    worker.worker.on('error', ({ message }) => faults.push(message));
    await open.queue.addConsumers([consumerId]);
    const [first] = await worker.waitForStarted(1);
    await server.empty();
    await waitUntil(() => lost.length > 0, { what: 'lockRenewalFailed' });
    expect(lost).toEqual([first?.jobId]);

    await open.queue.addConsumers([consumerId]);
    const [, second] = await worker.waitForStarted(2);
    expect(second?.jobId).not.toBe(first?.jobId);
    await open.queue.addConsumers([consumerId]);
    gates[0]?.resolve();
    await waitUntil(() => faults.some((fault) => /Missing key .*moveToFinished/.test(fault)), {
      what: () => `the end of the lost job to be refused, in ${faults.join()}`,
    });
    expect(await open.queue.counts(10_000)).toEqual({ ...NOTHING, active: 1 });
    gates[1]?.resolve();
    await worker.waitForStarted(3);
  });
});
