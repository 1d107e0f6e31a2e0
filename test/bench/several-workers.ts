import { Bench } from '#test/bench/bench';
import { Child } from '#test/bench/child';
import type { DistantServer } from '#test/bench/distant-server';
import type { Plan } from '#test/bench/plan';
import type { Pace } from '#test/bench/rig';

const WORKERS = 4;
const CONSUMERS = 40;
const CONCURRENCY = 10;
/** Added to each answer of PostgreSQL, as if it were on another machine. */
const POSTGRES_DELAY_MS = 2;
const CONSUMER_DELAY_MS = 20;
/** Large enough that every consumer always has waiting deliveries, even while its worker serves other consumers. */
const PACE: Pace = { eventsPerRequest: 100, undelivered: 8_000, warmUpS: 10 };

/** Compares four workers with one where waiting, not the processors, is the limit: shows whether workers block each other. */
export async function measureSeveralWorkers({ figures, product, seconds = 20 }: Plan): Promise<void> {
  const distant = Child.start<DistantServer>('distant-server.ts');
  try {
    const bench = await Bench.open(figures, {
      ...product,
      backend: 'redis',
      env: { WORKER_CONCURRENCY: String(CONCURRENCY) },
      postgresPort: (port) => distant.call('proxy', { port, delayMs: POSTGRES_DELAY_MS }),
    });
    try {
      const consumers = await bench.startConsumers(CONSUMERS, { delayMs: CONSUMER_DELAY_MS });
      const { perSecond: one } = await bench.sustained(consumers, seconds, PACE);
      for (let worker = 1; worker < WORKERS; worker += 1) await bench.environment.start('worker');
      figures.add(
        'workers.four',
        (await bench.sustained(consumers, seconds, PACE)).perSecond,
        '1/s',
        `sustained rate of ${String(WORKERS)} workers with ${String(CONCURRENCY)} deliveries in flight each, ${String(CONSUMERS)} consumers that answer after ${String(CONSUMER_DELAY_MS)} ms, PostgreSQL ${String(POSTGRES_DELAY_MS)} ms away; the reference is one worker`,
        { reference: one },
      );
    } finally {
      await bench.close();
    }
  } finally {
    distant.stop();
  }
}
