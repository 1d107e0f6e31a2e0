import type { Bench } from '#test/bench/bench';
import type { Consumers } from '#test/bench/rig';

const HEALTHY_PER_SECOND = 100;

/**
 * One broken consumer must not harm the others: the rate and the latency of a healthy consumer, alone and while another
 * consumer with a backlog refuses connections, never answers, or answers every request with 503.
 */
export async function measureBrokenConsumers(
  bench: Bench,
  healthy: Consumers,
  { seconds, backlog }: { readonly seconds: number; readonly backlog: number },
): Promise<void> {
  const { figures } = bench;
  const start: Readonly<Record<string, () => Promise<Consumers>>> = {
    unreachable: () => bench.unreachableConsumer(),
    silent: () => bench.startConsumers(1, { answer: 'never' }),
    failing: () => bench.startConsumers(1, { answer: '503' }),
  };
  const alone = {
    latency: await bench.arrivalsAt(healthy, HEALTHY_PER_SECOND, seconds),
    rate: (await bench.sustained(healthy, seconds)).perSecond,
  };
  for (const [kind, startBroken] of Object.entries(start)) {
    const broken = await startBroken();
    await bench.postBacklog(broken, backlog);
    const latency = await bench.arrivalsAt(healthy, HEALTHY_PER_SECOND, seconds);
    const { perSecond: rate } = await bench.sustained(healthy, seconds);
    await bench.remove(broken);
    const about = `with one ${kind} consumer that has a backlog of ${backlog.toLocaleString('en')}; the reference is without it`;
    figures.add(`broken.${kind}.p50`, latency.p50, 'ms', `latency of a healthy consumer ${about}`, {
      reference: alone.latency.p50,
    });
    figures.add(`broken.${kind}.p99`, latency.p99, 'ms', `latency of a healthy consumer ${about}`, {
      reference: alone.latency.p99,
    });
    figures.add(`broken.${kind}.rate`, rate, '1/s', `sustained rate of a healthy consumer ${about}`, {
      reference: alone.rate,
      target: { of: 'ratio', atLeast: 0.9 },
    });
  }
}
