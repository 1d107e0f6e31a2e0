import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Consumers } from '#test/bench/bench';
import { metered, PRODUCT, type Metered } from '#test/bench/meter';
import { nowMs, type Latencies } from '#test/bench/numbers';

const WARM_UP_S = 5;
/** Posting continues after the measurement, so that its last second is under load as well. */
const AFTER_S = 1;

/** A few events a second, as on most days: what an event costs, and how soon it arrives. */
export async function measureEveryday(bench: Bench, one: Consumers, seconds: number): Promise<void> {
  const { figures, environment } = bench;
  const twenty = await bench.startConsumers(20);
  // Clean-up after earlier loads must not run during this one.
  await environment.sql.query('vacuum (analyze)');
  await environment.sql.query('checkpoint');

  for (const { suffix, consumers, perSecond, about } of [
    { suffix: '', consumers: one, perSecond: 100, about: 'at 100 events a second, one consumer' },
    { suffix: '.20', consumers: twenty, perSecond: 100, about: 'at 100 events a second, 20 consumers' },
    { suffix: '.250', consumers: one, perSecond: 250, about: 'at 250 events a second, one consumer' },
    { suffix: '.500', consumers: one, perSecond: 500, about: 'at 500 events a second, one consumer' },
  ]) {
    const { meter, arrival } = await everydayAt(bench, consumers, perSecond, seconds);
    const parts = Object.fromEntries(PRODUCT.map((name) => [name, meter.cpu[name] / 1_000]));
    const cpu = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
    figures.add(`everyday.cpu${suffix}`, cpu, 'ms', `processor time an event ${about}`, { parts });
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

/** Posts at a steady rate, independent of the answers. The warm-up is not measured. */
async function everydayAt(
  bench: Bench,
  consumers: Consumers,
  perSecond: number,
  seconds: number,
): Promise<{ meter: Metered; arrival: Latencies }> {
  await bench.consumers.call('recordArrivals', null);
  let [fromMs, toMs] = [0, 0];
  const measuring = async (): Promise<Metered> => {
    await pause(WARM_UP_S * 1_000);
    return metered(bench, async () => {
      fromMs = nowMs();
      await pause(seconds * 1_000);
      toMs = nowMs();
    });
  };
  const [meter, posted] = await Promise.all([
    measuring(),
    bench.post({
      companies: consumers.companies,
      perSecond,
      events: perSecond * (WARM_UP_S + seconds + AFTER_S),
      recordPosts: true,
    }),
  ]);
  const measured = posted.filter(([, atMs]) => atMs >= fromMs && atMs < toMs);
  return { meter, arrival: await bench.untilArrival(consumers, measured) };
}
