import { urlsOf, type Bench } from '#test/bench/bench';
import { metered } from '#test/bench/meter';
import type { Consumers } from '#test/bench/rig';

const BARE_AT_ONCE = 64;

/** Accepts and delivers at the same time, as fast as the consumers acknowledge, compared with bare signed POSTs. */
export async function measureSustained(bench: Bench, one: Consumers, seconds: number): Promise<void> {
  const { figures } = bench;
  const urls = urlsOf(one);
  await bench.bare.call('post', { urls, seconds: 1, concurrency: BARE_AT_ONCE });
  const bare = await bench.bare.call('post', { urls, seconds: seconds / 2, concurrency: BARE_AT_ONCE });
  const reference = bare.perSecond;
  figures.add('bare.posts', reference, '1/s', 'signed POSTs to the same consumers, without the product');

  let rate = 0;
  const meter = await metered(bench, async () => {
    ({ perSecond: rate } = await bench.sustained(one, seconds));
  });
  figures.add(
    'sustained.one',
    rate,
    '1/s',
    'events accepted one a request and acknowledged by one consumer; the reference is bare.posts',
    { reference, target: { of: 'ratio', atLeast: 0.22 } },
  );
  figures.add('sustained.sql', meter.sqlPerDelivery, '', 'SQL statements an event of sustained.one', {
    target: { of: 'value', atMost: 0.15 },
  });
  figures.add('sustained.wal', meter.walBytesPerDelivery / 1_024, 'KiB', 'write-ahead log an event');
  figures.add('sustained.redis', meter.redisPerDelivery, '', 'Redis commands an event', {
    target: { of: 'value', atMost: 12 },
  });
  const cpu = Object.values(meter.cpu).reduce((sum, micros) => sum + micros, 0);
  figures.add('sustained.cpu', cpu, 'µs', 'processor time an event', { parts: meter.cpu });
  for (const role of ['api', 'worker'] as const)
    figures.add(`sustained.memory.${role}`, meter.peakMiB[role], 'MiB', 'resident memory, peak', {
      target: { of: 'value', atMost: 250 },
    });

  const hundred = await bench.startConsumers(100);
  figures.add(
    'sustained.hundred',
    (await bench.sustained(hundred, seconds)).perSecond,
    '1/s',
    'the same with 100 consumers; the reference is sustained.one',
    { reference: rate, target: { of: 'ratio', atLeast: 0.9 } },
  );
  figures.add(
    'sustained.batch',
    (await bench.sustained(one, seconds, { eventsPerRequest: 100 })).perSecond,
    '1/s',
    'events accepted 100 a request, one consumer; the reference is bare.posts',
    { reference },
  );
}
