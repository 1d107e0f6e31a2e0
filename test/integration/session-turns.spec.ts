import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sessions } from '#apps/worker/src/session/sessions.service';
import { DispatchQueue } from '#libs/queue';
import { sql } from 'kysely';
import { outOfOrder, ServedConsumer } from '#test/support/served-consumer';
import {
  startDispatcherInProcess,
  type DispatcherInProcess,
  type WorkerInProcess,
} from '#test/support/dispatcher-in-process';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

let services: DispatcherInProcess;

beforeEach(async () => {
  services = await startDispatcherInProcess();
});
afterEach(() => services.close());

/** A session that others wait for ends after 6 s; the worker checks once a second. */
const TURN_MS = 6_000 + 1_000;

/** Consumers whose work outlasts the test: they get one request at a time and answer it after `everyMs`. */
const busyConsumers = (count: number, everyMs: number): Promise<ServedConsumer[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const consumer = await ServedConsumer.add(services, {
        max_concurrency: 1,
        answering: async () => {
          await pause(everyMs);
          return {};
        },
      });
      await consumer.acceptMany(400);
      return consumer;
    }),
  );

const servedBy = ({ app }: WorkerInProcess): readonly string[] =>
  app.get(Sessions, { strict: false }).condition().sessions;

describe('more consumers than a worker has sessions', () => {
  it('more consumers than a worker has sessions are served in turns, each within a bounded time', async () => {
    const [slots, count] = [4, 20];
    const consumers = await busyConsumers(count, 100);
    const startedAt = performance.now();
    const worker = await services.startWorker({ WORKER_CONCURRENCY: String(slots) });
    let most = 0;
    await waitUntil(
      () => {
        most = Math.max(most, servedBy(worker).length);
        return consumers.every(({ arrivals }) => arrivals.length > 0);
      },
      {
        what: () =>
          `every consumer to be served; deliveries: ${consumers.map(({ arrivals }) => arrivals.length).join(' ')}`,
        deadlineMs: 120_000,
        everyMs: 50,
      },
    );
    expect(most).toBe(slots);
    // The last consumers wait for four turns of the others. A busy machine may need twice that.
    expect(performance.now() - startedAt).toBeLessThan(2 * (count / slots) * TURN_MS);
    // No consumer has had much more than one turn when the last one is served.
    const counts = consumers.map(({ arrivals }) => arrivals.length);
    expect(Math.max(...counts)).toBeLessThan((3 * TURN_MS) / 100);
  });
});

describe('two workers', () => {
  it('two workers share endless work of a few consumers equally, even when one worker starts late', async () => {
    // Answers take longer than the handover of a session: the next one must count them.
    const consumers = await busyConsumers(6, 900);
    const first = await services.startWorker();
    await waitUntil(() => servedBy(first).length === 6, { what: 'the first worker to serve every consumer' });
    const late = await services.startWorker();
    await waitUntil(() => servedBy(first).length === 3 && servedBy(late).length === 3, {
      what: () => `equal shares, not ${String(servedBy(first).length)} and ${String(servedBy(late).length)}`,
    });
    // Each consumer is still served, by one of the two workers.
    const before = consumers.map(({ arrivals }) => arrivals.length);
    await waitUntil(
      () => consumers.every(({ arrivals }, index) => arrivals.length > (before[index] ?? 0) + 4),
      { what: 'every consumer to be served further' },
    );
    for (const consumer of consumers) {
      expect(consumer.mostAtOnce).toBe(1);
      expect(new Set(consumer.arrivals.map(({ place }) => place)).size).toBe(consumer.arrivals.length);
    }
  });
});

describe('stop of a worker', () => {
  it('a stopping worker records requests in flight, leaves the rest to others, and sends nothing twice', async () => {
    const consumers = await busyConsumers(5, 40);
    const paced = await ServedConsumer.add(services, { max_per_second: 5, max_concurrency: 4 });
    const failing = await ServedConsumer.add(services, {
      retry_schedule: [3_600],
      answering: () => ({ status: 500 }),
    });
    await Promise.all([paced.acceptMany(100), failing.acceptMany(2)]);
    const all = [...consumers, paced];
    const first = await services.startWorker();
    // There are sessions with requests in flight, one that waits for its rate, one that lingers, and a timer.
    await waitUntil(
      () => all.every(({ arrivals }) => arrivals.length >= 3) && failing.arrivals.length === 2,
      {
        what: 'every consumer to be served',
      },
    );
    await first.close();
    expect(servedBy(first)).toEqual([]);
    // No job waits for its lock to expire: the next worker can fetch each one at once.
    const jobs = await services.app.get(DispatchQueue, { strict: false }).counts(LONGEST_WAIT_MS);
    expect(jobs.active).toBe(0);
    expect(jobs.waiting).toBeGreaterThanOrEqual(all.length);
    const sent = all.map(({ arrivals }) => arrivals.length);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from attempts where outcome = 'acknowledged'`.execute(services.db);
    expect(rows[0]?.count).toBe(sent.reduce((sum, one) => sum + one, 0));

    await services.startWorker();
    await waitUntil(() => all.every(({ arrivals }, index) => arrivals.length > (sent[index] ?? 0) + 1), {
      what: 'the next worker to serve every consumer',
    });
    for (const { arrivals } of all) {
      expect(outOfOrder(arrivals)).toEqual([]);
      expect(new Set(arrivals.map(({ place }) => place)).size).toBe(arrivals.length);
    }
  });

  it('a worker stops within 5 s while it starts and while it is idle', async () => {
    const consumer = await ServedConsumer.add(services);
    for (let run = 1; run <= 3; run += 1) {
      await consumer.acceptMany(1);
      const worker = await services.startWorker();
      if (run === 2) await consumer.waitFor(1);
      const closedAt = performance.now();
      await worker.close();
      expect(performance.now() - closedAt).toBeLessThan(5_000);
    }
    await services.startWorker();
    await consumer.waitFor(3);
    expect(consumer.arrivals).toHaveLength(3);
  });
});
