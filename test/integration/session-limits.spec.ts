import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace, TOLERANCE_MS } from '#apps/worker/src/session/pace';
import { Sessions } from '#apps/worker/src/session/sessions.service';
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

describe('maxPerSecond', () => {
  afterEach(() => vi.restoreAllMocks());

  /** The times at which the workers of this process may start a request, by `performance.now()`, the earliest first. */
  function startTimes(): () => number[] {
    const { mock } = vi.spyOn(Pace.prototype, 'tryStart');
    return () =>
      mock.calls
        .filter((_, index) => mock.results[index]?.value === 0)
        .map(([nowMs]) => nowMs)
        .toSorted((a, b) => a - b);
  }

  /** The times that are too early for one request each `everyMs`, counted from the first. */
  const early = (times: readonly number[], everyMs: number): number[] =>
    times.filter((time, index) => time - (times[0] ?? 0) < index * everyMs - TOLERANCE_MS - CLOCK_MS);

  /** PostgreSQL's clock, which carries the rate from one worker to the next, is not this process's monotonic clock. */
  const CLOCK_MS = 5;

  it('maxPerSecond is kept evenly, not only on average', async () => {
    const times = startTimes();
    const consumer = await ServedConsumer.add(services, { max_per_second: 20 });
    await consumer.acceptMany(50);
    await services.startWorker();
    await consumer.waitFor(50);
    expect(times()).toHaveLength(50);
    expect(early(times(), 50)).toEqual([]);
  });

  it('maxPerSecond is kept when one worker takes over from another', async () => {
    const times = startTimes();
    const consumer = await ServedConsumer.add(services, { max_per_second: 1 });
    await consumer.acceptMany(2);
    const [first, second] = await Promise.all([services.startWorker(), services.startWorker()]);
    await consumer.waitFor(1);
    const serves = ({ app }: WorkerInProcess): boolean =>
      app.get(Sessions, { strict: false }).condition().sessions.length > 0;
    await (serves(first) ? first : second).close();
    const sent = consumer.arrivals.length;
    await consumer.acceptMany(2);
    await consumer.waitFor(4);
    expect(sent).toBeLessThan(4);
    expect(times()).toHaveLength(4);
    expect(early(times(), 1_000)).toEqual([]);
  });

  it('maxPerSecond is kept without a burst when many deliveries are due after an idle time', async () => {
    const times = startTimes();
    const consumer = await ServedConsumer.add(services, { max_per_second: 10 });
    await services.startWorker();
    await consumer.acceptMany(1);
    await consumer.waitFor(1);
    await waitUntil(() => performance.now() - (times()[0] ?? 0) > 1_500, { what: 'an idle time' });
    await consumer.acceptMany(20);
    await consumer.waitFor(21);
    const [, ...afterIdle] = times();
    expect(afterIdle).toHaveLength(20);
    expect(early(afterIdle, 100)).toEqual([]);
  });
});
