import { Bench } from '#test/bench/bench';
import { measureBrokenConsumers } from '#test/bench/broken-consumers';
import type { Backend } from '#test/bench/environment';
import { EVERYDAY_PER_SECOND, measureEveryday, measureEverydayCold } from '#test/bench/everyday';
import { measureLatency } from '#test/bench/latency';
import type { Plan } from '#test/bench/plan';
import type { Consumers } from '#test/bench/rig';
import { measureSustained } from '#test/bench/sustained';
import { measureSustained64 } from '#test/bench/sustained-64';

/** Scenarios that share an installation with one consumer, in their order; all but the first are warm. */
export const PIPELINE = ['everyday.cold', 'everyday', 'sustained.64', 'sustained', 'broken'] as const;
type Scenario = (typeof PIPELINE)[number];

const SECONDS = 20;
/** Deliveries of a broken consumer, for each second of a load. */
const BACKLOG_PER_SECOND = 2_500;

/** Measures a new installation, so that each backend starts with the same history. */
export async function measurePipeline(
  { figures, product, warmUpS, seconds = SECONDS }: Plan,
  backend: Backend,
  scenarios: readonly Scenario[],
): Promise<void> {
  const own = backend === 'redis' ? figures : figures.prefixed(`${backend}.`);
  const bench = await Bench.openYoung(own, { ...product, backend });
  const warm: Readonly<Record<Exclude<Scenario, 'everyday.cold'>, (one: Consumers) => Promise<void>>> = {
    everyday: (one) => measureEveryday(bench, one, seconds),
    'sustained.64': (one) => measureSustained64(bench, one, seconds),
    sustained: async (one) => {
      await measureSustained(bench, one, seconds);
      await measureLatency(bench, one, seconds);
    },
    broken: (one) => measureBrokenConsumers(bench, one, { seconds, backlog: seconds * BACKLOG_PER_SECOND }),
  };
  try {
    const one = await bench.startConsumers(1);
    if (scenarios.includes('everyday.cold')) await measureEverydayCold(bench, one, seconds);
    const rest = scenarios.filter((name) => name !== 'everyday.cold');
    if (rest.length > 0) await bench.post({ ...one, perSecond: EVERYDAY_PER_SECOND, seconds: warmUpS });
    await bench.delivered(one);
    for (const name of rest) await warm[name](one);
  } finally {
    await bench.close();
  }
}
