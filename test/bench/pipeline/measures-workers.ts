import { Child } from '#test/bench/pipeline/child';
import type { DelayingProxy } from '#test/bench/pipeline/delaying-proxy';
import type { Figures } from '#test/bench/pipeline/figures';
import { Rig, type Pace } from '#test/bench/pipeline/rig';

const WORKERS = 4;
const CONSUMERS = 40;
const SLOTS = 10;
/** A round trip to PostgreSQL takes so much longer. */
const POSTGRES_MS = 2;
const ANSWER_MS = 20;
/** Every consumer has deliveries waiting, also while its worker serves others. */
const PACE: Pace = { eventsPerRequest: 100, ahead: 8_000, warmUpS: 10 };

/**
 * Four workers beside one where waiting is the limit, and not the processors: few slots, consumers that take their time, and
 * a PostgreSQL on another machine. Workers that wait for each other show here.
 */
export async function measureWorkers(figures: Figures, seconds: number): Promise<void> {
  const proxy = Child.start<DelayingProxy>('delaying-proxy.ts');
  try {
    const rig = await Rig.open(figures, 'redis', {
      workers: 1,
      env: { WORKER_CONCURRENCY: String(SLOTS) },
      postgresThrough: (port) => proxy.ask('listen', { port, delayMs: POSTGRES_MS }),
    });
    try {
      const consumers = await rig.consumers(CONSUMERS, { delayMs: ANSWER_MS });
      const { acknowledged: one } = await rig.flow(consumers, seconds, PACE);
      for (let worker = 1; worker < WORKERS; worker += 1) await rig.stand.start('worker');
      const { acknowledged: four } = await rig.flow(consumers, seconds, PACE);
      figures.add(
        'workers.four',
        four,
        '1/s',
        `accepted and acknowledged with ${String(WORKERS)} workers of ${String(SLOTS)} slots each, ${String(CONSUMERS)} consumers that answer after ${String(ANSWER_MS)} ms, and a PostgreSQL that answers ${String(POSTGRES_MS)} ms later, beside one worker`,
        { limit: one },
      );
    } finally {
      await rig.close();
    }
  } finally {
    proxy.stop();
  }
}
