import { Bench } from '#test/bench/bench';
import { everydayOf } from '#test/bench/everyday';
import type { Plan } from '#test/bench/plan';

const CONSUMERS = 10_000;
const ACTIVE = 200;
const WARM_UP_S = 20;
const SECONDS = 30;

/** Many consumers of which few are active: an event must not cost more because the others exist. */
export async function measureMostlyQuiet({ figures, product, seconds = SECONDS }: Plan): Promise<void> {
  const bench = await Bench.openYoung(figures, { ...product, backend: 'redis' });
  try {
    const one = await bench.startConsumers(1);
    const { measured: everyday } = await everydayOf(bench, one, seconds, WARM_UP_S);
    const all = await bench.insertConsumers(CONSUMERS);
    await bench.environment.start('worker');
    const active = (from: number) => ({ ...all, companies: all.companies.slice(from, from + ACTIVE) });
    // Others are active while the processes warm up.
    await everydayOf(bench, active(CONSUMERS / 2), 1, WARM_UP_S);
    const { measured, arrival } = await everydayOf(bench, active(0), seconds, 0);
    const about = `at 100 events a second for ${String(ACTIVE)} of ${CONSUMERS.toLocaleString('en')} consumers, 2 workers`;
    figures.add(
      'mostly.quiet',
      measured.productMs,
      'ms',
      `processor time an event ${about}; the reference is one consumer and one worker`,
      { reference: everyday.productMs, parts: measured.parts, target: { of: 'ratio', atMost: 1.3 } },
    );
    figures.add('mostly.quiet.p99', arrival.p99, 'ms', `from posting to arrival ${about}`);
  } finally {
    await bench.close();
  }
}
