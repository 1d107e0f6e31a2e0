import type { Figures } from '#test/bench/pipeline/figures';
import { arrivalsAt } from '#test/bench/pipeline/measures-latency';
import { Rig } from '#test/bench/pipeline/rig';

const WARM_UP_S = 5;

/** The queue in PostgreSQL beside the queue in Redis, which was measured before. */
export async function measureBackend(
  figures: Figures,
  { sustainedS, latencyS }: { readonly sustainedS: number; readonly latencyS: number },
): Promise<void> {
  const rig = await Rig.open(figures, 'postgres');
  try {
    await rig.stand.start('worker');
    const one = await rig.consumers(1);
    await rig.sustained(one, Math.min(WARM_UP_S, sustainedS));
    const rate = await rig.sustained(one, sustainedS);
    figures.add('backend.postgres', rate, '1/s', 'sustained.one with the queue in PostgreSQL, beside Redis', {
      limit: figures.valueOf('sustained.one'),
    });
    const { p50, p99 } = await arrivalsAt(rig, one, Math.round(rate / 2), latencyS);
    const about = 'from posting to arrival at half of that rate, beside Redis at half of its own';
    figures.add('backend.postgres.p50', p50, 'ms', about, { limit: figures.valueOf('arrival.p50') });
    figures.add('backend.postgres.p99', p99, 'ms', `${about}; the slowest hundredth`, {
      limit: figures.valueOf('arrival.p99'),
    });
  } finally {
    await rig.close();
  }
}
