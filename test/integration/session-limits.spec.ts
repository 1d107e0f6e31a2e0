import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EGRESS } from '#apps/worker/src/providers';
import type { Egress } from '#libs/egress';
import { sql } from 'kysely';
import { ServedConsumer } from '#test/support/served-consumer';
import {
  startDispatcherInProcess,
  type DispatcherInProcess,
  type WorkerInProcess,
} from '#test/support/dispatcher-in-process';
import { waitUntil } from '#test/support/wait-until';

let services: DispatcherInProcess;

beforeEach(async () => {
  services = await startDispatcherInProcess();
});
afterEach(() => services.close());

describe('maxConcurrency', () => {
  it.each([1, 3])('maxConcurrency of %i is reached and never exceeded, on two workers', async (limit) => {
    const consumer = await ServedConsumer.add(services, {
      max_concurrency: limit,
      answering: async () => {
        await pause(5);
        return {};
      },
    });
    await consumer.acceptMany(60);
    await Promise.all([services.startWorker(), services.startWorker()]);
    await consumer.waitFor(60);
    expect(consumer.mostAtOnce).toBe(limit);
  });

  it('a lowered maxConcurrency holds from the next fetch on', async () => {
    const inFlight: (() => void)[] = [];
    const consumer = await ServedConsumer.add(services, {
      max_concurrency: 6,
      answering: () => new Promise((resolve) => inFlight.push(() => resolve({}))),
    });
    await consumer.acceptMany(40);
    await services.startWorker();
    await consumer.waitFor(6);
    await sql`update consumers set max_concurrency = 2 where id = ${consumer.id}`.execute(services.db);
    inFlight.shift()?.();
    await consumer.waitFor(7);
    consumer.answer(async () => {
      await pause(5);
      return {};
    });
    for (const answer of inFlight) answer();
    await consumer.waitFor(8);
    consumer.mostAtOnce = 0;
    await consumer.waitFor(40);
    expect(consumer.mostAtOnce).toBe(2);
  });

  it('a consumer that does not answer leaves worker capacity to other consumers', async () => {
    const silent = await ServedConsumer.add(services, { max_concurrency: 64, answering: () => 'hang' });
    const prompt = await ServedConsumer.add(services);
    await silent.acceptMany(64);
    await prompt.acceptMany(1);
    await services.startWorker({ WORKER_CONCURRENCY: '8' });
    await prompt.waitFor(1);
    await silent.waitFor(6);
    await prompt.acceptMany(20);
    await prompt.waitFor(21);
    expect(silent.arrivals).toHaveLength(6);
  });
});

/** The times at which a worker sends each request, by `performance.now()`. */
function sendingTimes({ app }: WorkerInProcess): number[] {
  const times: number[] = [];
  const egress = app.get<Egress>(EGRESS, { strict: false });
  const post = egress.post.bind(egress);
  vi.spyOn(egress, 'post').mockImplementation((request) => {
    times.push(performance.now());
    return post(request);
  });
  return times;
}

describe('maxPerSecond', () => {
  /** The vault or a busy machine may delay the first request. */
  const LATE_MS = 150;

  it('maxPerSecond is kept evenly, not only on average', async () => {
    const consumer = await ServedConsumer.add(services, { max_per_second: 20 });
    await consumer.acceptMany(50);
    const times = sendingTimes(await services.startWorker());
    await consumer.waitFor(50);
    const [first = 0] = times;
    const early = times.filter((time, index) => time - first < index * 50 - LATE_MS);
    expect(early).toEqual([]);
    // A late timer does not lower the rate, unless the machine stalls.
    expect((times.at(-1) ?? 0) - first).toBeLessThan(10_000);
  });

  it('maxPerSecond is kept when one worker takes over from another', async () => {
    const consumer = await ServedConsumer.add(services, { max_per_second: 1 });
    await consumer.acceptMany(4);
    const workers = await Promise.all([services.startWorker(), services.startWorker()]);
    const times = workers.map(sendingTimes);
    await consumer.waitFor(2);
    const server = times.findIndex((own) => own.length > 0);
    await workers[server]?.close();
    await consumer.waitFor(4);
    const all = times.flat().toSorted((a, b) => a - b);
    expect(times[1 - server]?.length).toBeGreaterThanOrEqual(1);
    const [first = 0] = all;
    expect(all.filter((time, index) => time - first < index * 1_000 - LATE_MS)).toEqual([]);
  });

  it('maxPerSecond is kept without a burst when many deliveries are due after an idle time', async () => {
    const consumer = await ServedConsumer.add(services, { max_per_second: 10 });
    const times = sendingTimes(await services.startWorker());
    await consumer.acceptMany(1);
    await consumer.waitFor(1);
    await waitUntil(() => performance.now() - (times[0] ?? 0) > 1_500, { what: 'an idle time' });
    await consumer.acceptMany(20);
    await consumer.waitFor(21);
    const after = times.slice(1);
    const [first = 0] = after;
    expect(after.filter((time, index) => time - first < index * 100 - LATE_MS)).toEqual([]);
  });
});
