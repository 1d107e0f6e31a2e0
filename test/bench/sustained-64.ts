import type { Bench } from '#test/bench/bench';
import type { Consumers, Rig, Sustained } from '#test/bench/rig';

/** A load that benchmarks of other systems use, too. */
const CONNECTIONS = 64;
const UNDELIVERED = 2_000;

/** 64 connections and at most 2,000 undelivered events, through the product or a peer. */
export const sustained64 = (
  rig: Rig,
  one: Consumers,
  seconds: number,
  warmUpS?: number,
): Promise<Sustained> =>
  rig.sustained(one, seconds, {
    connections: CONNECTIONS,
    // Events in flight to the api are not accepted yet.
    undelivered: UNDELIVERED - CONNECTIONS,
    withTail: true,
    ...(warmUpS === undefined ? {} : { warmUpS }),
  });

/** Rate and tail of one load: a high rate with a long tail makes some wait while others take their turn. */
export async function measureSustained64(bench: Bench, one: Consumers, seconds: number): Promise<void> {
  const { figures } = bench;
  const { perSecond, parts, productMs, arrival } = await sustained64(bench, one, seconds);
  const load = 'with 64 connections and at most 2,000 undelivered events';
  figures.add('sustained.64', perSecond, '1/s', `acknowledged events ${load}`);
  figures.add('sustained.64.cpu', productMs, 'ms', `processor time an event ${load}`, { parts });
  for (const part of ['p50', 'p95', 'p99'] as const)
    figures.add(
      `sustained.64.tail.${part}`,
      arrival?.[part] ?? Number.NaN,
      'ms',
      'from posting to arrival in that load',
    );
}
