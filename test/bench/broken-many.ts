import { Bench } from '#test/bench/bench';
import type { Plan } from '#test/bench/plan';

const SLOTS = 64;
const HANGING = 12;
const HEALTHY = 12;
/** For each of the two kinds of consumers; five for each consumer. */
const PER_SECOND = 60;
const SECONDS = 40;

/** As many consumers hang as are healthy, from the first second on: the healthy ones must not wait for their slots. */
export async function measureBrokenMany({ figures, product, seconds = SECONDS }: Plan): Promise<void> {
  const bench = await Bench.openYoung(figures, {
    ...product,
    backend: 'redis',
    env: { WORKER_CONCURRENCY: String(SLOTS) },
  });
  try {
    const hanging = await bench.startConsumers(HANGING, { answer: 'never' });
    const healthy = await bench.startConsumers(HEALTHY);
    const [, arrival] = await Promise.all([
      bench.post({ ...hanging, perSecond: PER_SECOND, seconds }),
      bench.arrivalsAt(healthy, PER_SECOND, seconds),
    ]);
    const about = `from posting to arrival at ${String(HEALTHY)} healthy consumers while ${String(HANGING)} hang for 10 s, ${String(SLOTS)} slots, the first ${String(seconds)} s`;
    figures.add('broken.many.p50', arrival.p50, 'ms', `p50 ${about}`);
    figures.add('broken.many.p99', arrival.p99, 'ms', `p99 ${about}`, {
      target: { of: 'value', atMost: 100 },
    });
    figures.add('broken.many.most', arrival.most, 'ms', `most ${about}`);
  } finally {
    await bench.close();
  }
}
