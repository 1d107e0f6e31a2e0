import type { Bench } from '#test/bench/bench';
import { metered } from '#test/bench/meter';
import type { Consumers, Rig } from '#test/bench/rig';

const WARM_UP_S = 5;
export const EVERYDAY_PER_SECOND = 100;

/** The everyday load through the product or a peer: processor time an event in milliseconds, and latencies. */
export const everydayOf = (rig: Rig, one: Consumers, seconds: number, warmUpS = WARM_UP_S) =>
  rig.steadily(one, { perSecond: EVERYDAY_PER_SECOND, seconds, warmUpS }, (during) => rig.usageOf(during));

/** The same from the first event of a young database on. */
export async function measureEverydayCold(bench: Bench, one: Consumers, seconds: number): Promise<void> {
  const { measured, arrival } = await everydayOf(bench, one, seconds, 0);
  const about = 'at 100 events a second, from the first event of a young database on';
  const { parts, productMs } = measured;
  bench.figures.add('everyday.cold', productMs, 'ms', `processor time an event ${about}`, { parts });
  bench.figures.add('everyday.cold.p50', arrival.p50, 'ms', `from posting to arrival ${about}`);
  bench.figures.add('everyday.cold.p99', arrival.p99, 'ms', `from posting to arrival ${about}`);
}

/** A few events a second, as on most days: what an event costs, and how soon it arrives. */
export async function measureEveryday(bench: Bench, one: Consumers, seconds: number): Promise<void> {
  const { figures } = bench;
  const twenty = await bench.startConsumers(20);
  for (const { suffix, consumers, perSecond, about } of [
    { suffix: '', consumers: one, perSecond: 100, about: 'at 100 events a second, one consumer' },
    { suffix: '.20', consumers: twenty, perSecond: 100, about: 'at 100 events a second, 20 consumers' },
    { suffix: '.250', consumers: one, perSecond: 250, about: 'at 250 events a second, one consumer' },
    { suffix: '.500', consumers: one, perSecond: 500, about: 'at 500 events a second, one consumer' },
  ]) {
    const { measured: meter, arrival } = await bench.steadily(
      consumers,
      { perSecond, seconds, warmUpS: WARM_UP_S },
      (during) => metered(bench, during),
    );
    const { parts, productMs } = meter;
    figures.add(`everyday.cpu${suffix}`, productMs, 'ms', `processor time an event ${about}`, { parts });
    if (suffix !== '') continue;
    figures.add('everyday.p50', arrival.p50, 'ms', `from posting to arrival ${about}`);
    figures.add('everyday.p99', arrival.p99, 'ms', `from posting to arrival ${about}`);
    figures.add('everyday.sql', meter.sqlPerDelivery, '', `SQL statements an event ${about}`);
    figures.add(
      'everyday.wal',
      meter.walBytesPerDelivery / 1_024,
      'KiB',
      `write-ahead log an event ${about}`,
    );
    figures.add('everyday.redis', meter.redisPerDelivery, '', `Redis commands an event ${about}`);
  }
}
