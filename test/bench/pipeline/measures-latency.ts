import { setTimeout as pause } from 'node:timers/promises';
import { latencies, type Latencies } from '#test/bench/pipeline/latencies';
import type { Loaded } from '#test/bench/pipeline/poster';
import { urlsOf, type Consumers, type Rig } from '#test/bench/pipeline/rig';

/** From posting until the arrival, at shares of the sustained rate, and of the same POST sent directly. */
export async function measureLatency(
  rig: Rig,
  consumers: Consumers,
  shares: readonly number[],
  seconds: number,
): Promise<void> {
  const { figures } = rig;
  for (const share of shares) {
    const perSecond = Math.round(figures.valueOf('sustained.one') * share);
    const { p50, p99 } = await arrivalsAt(rig, consumers, perSecond, seconds);
    const { answered: direct } = await rig.barePosts.ask('run', {
      urls: urlsOf(consumers),
      seconds: seconds / 2,
      concurrency: 1,
      perSecond,
    });
    const at = `at ${String(share * 100)} % of the sustained rate`;
    const isHalf = share === 0.5;
    const suffix = isHalf ? '' : `.at${String(share * 100)}`;
    const beside = `from posting to arrival ${at}, beside the same POST sent directly, at the same rate`;
    figures.add(`arrival.p50${suffix}`, p50, 'ms', beside, { limit: direct.p50 });
    figures.add(`arrival.p99${suffix}`, p99, 'ms', `${beside}; the slowest hundredth`, { limit: direct.p99 });
    figures.add(`latency.p50${suffix}`, p50 - direct.p50, 'ms', `p50 ${at}, above the direct POST's p50`, {
      bar: isHalf ? { of: 'value', atMost: 10 } : undefined,
    });
    figures.add(`latency.p99${suffix}`, p99 - direct.p50, 'ms', `p99 ${at}, above the direct POST's p50`, {
      bar: isHalf ? { of: 'value', atMost: 50 } : undefined,
    });
  }
}

/** A quiet system: one event now and then. */
export async function measureIdle(rig: Rig, consumers: Consumers, events: number): Promise<void> {
  await arrivalsAt(rig, consumers, 10, 1);
  const { p50, p99 } = await arrivalsAt(rig, consumers, 10, events / 10);
  rig.figures.add('idle.p50', p50, 'ms', 'from posting to arrival, ten events a second', {
    bar: { of: 'value', atMost: 15 },
  });
  rig.figures.add('idle.p99', p99, 'ms', 'the same, of the slowest hundredth');
}

/** Posts at a steady rate. @returns milliseconds from each event's posting to its first arrival */
export async function arrivalsAt(
  rig: Rig,
  { companies }: Consumers,
  perSecond: number,
  seconds: number,
): Promise<Latencies> {
  await rig.sink.ask('noteArrivals', null);
  const { posted } = await rig.post({ companies, perSecond, seconds, notes: true });
  return untilArrival(rig, posted);
}

/**
 * Waits until nothing is pending.
 * @param posted events that were posted since `noteArrivals`
 * @returns milliseconds from each one's posting to its first arrival
 * @throws when one has not arrived
 */
export async function untilArrival(rig: Rig, posted: Loaded['posted']): Promise<Latencies> {
  await rig.drained();
  await pause(100);
  const arrivedAt = new Map<string, number>();
  for (const [id, atMs] of await rig.sink.ask('arrivals', null))
    if (!arrivedAt.has(id)) arrivedAt.set(id, atMs);
  return latencies(
    posted.map(([id, atMs]) => {
      const arrived = arrivedAt.get(id);
      if (arrived === undefined) throw new Error(`${id} was accepted and has not arrived`);
      return arrived - atMs;
    }),
  );
}
