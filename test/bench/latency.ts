import { urlsOf, type Bench } from '#test/bench/bench';
import type { Consumers } from '#test/bench/rig';

/** Posts in flight while posting at a fixed rate. */
const AT_ONCE = 64;

/**
 * The time from the first byte of a producer's request to the arrival at the consumer, compared with the same POST
 * sent directly: at half the sustained rate, and in a quiet system.
 */
export async function measureLatency(bench: Bench, one: Consumers, seconds: number): Promise<void> {
  const { figures } = bench;
  const perSecond = Math.round(figures.valueOf('sustained.one') / 2);
  const { p50, p99 } = await bench.arrivalsAt(one, perSecond, seconds);
  const { answered: direct } = await bench.bare.call('post', {
    urls: urlsOf(one),
    seconds: seconds / 2,
    concurrency: AT_ONCE,
    perSecond,
  });
  const load = 'at half the sustained rate, minus the p50 of a direct POST at that rate';
  figures.add('latency.p50', p50 - direct.p50, 'ms', `from posting to arrival ${load}`, {
    target: { of: 'value', atMost: 10 },
  });
  figures.add('latency.p99', p99 - direct.p50, 'ms', `from posting to arrival ${load}`, {
    target: { of: 'value', atMost: 50 },
  });

  // The first second reopens idle connections that were closed.
  await bench.arrivalsAt(one, 10, 1);
  const quiet = await bench.arrivalsAt(one, 10, seconds);
  figures.add('latency.quiet.p50', quiet.p50, 'ms', 'from posting to arrival at ten events a second', {
    target: { of: 'value', atMost: 15 },
  });
  figures.add('latency.quiet.p99', quiet.p99, 'ms', 'from posting to arrival at ten events a second');
}
