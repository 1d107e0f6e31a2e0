import { setTimeout as pause } from 'node:timers/promises';
import { latencies, type Latencies } from '#test/bench/pipeline/latencies';
import type { Limits } from '#test/bench/pipeline/measures-limits';
import { metered } from '#test/bench/pipeline/meter';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

/** Works off what is there with a worker that has just started. @returns deliveries a second */
export async function measureDrain(
  rig: Rig,
  consumers: Consumers,
  backlog: number,
  limits: Limits,
): Promise<void> {
  const missing = backlog - (await rig.openDeliveries());
  if (missing > 0) {
    await rig.post({
      companies: consumers.companies,
      events: missing,
      eventsPerRequest: 100,
      connections: 4,
    });
  }
  const open = await rig.openDeliveries();
  const before = await rig.sink.ask('count', null);
  const startedAt = performance.now();
  await rig.stand.start('worker');
  const readyS = (performance.now() - startedAt) / 1_000;
  await rig.drained();
  const seconds = (performance.now() - startedAt) / 1_000 - readyS;
  const { acknowledged } = await rig.sink.ask('count', null);
  if (acknowledged - before.acknowledged < open)
    throw new Error('a backlog was drained without being delivered');
  rig.figures.add(
    'drain',
    open / seconds,
    '1/s',
    `a backlog of ${String(open)} for one consumer, beside the bare loop`,
    {
      limit: limits.posts,
    },
  );
}

/** Accepting and delivering at once, as fast as the consumers acknowledge. */
export async function measureSustained(
  rig: Rig,
  one: Consumers,
  hundred: Consumers,
  limits: Limits,
  seconds: number,
): Promise<void> {
  const { figures } = rig;
  let rate = 0;
  const meter = await metered(rig, async () => {
    rate = await rig.sustained(one, seconds);
  });
  figures.add(
    'sustained.one',
    rate,
    '1/s',
    'accepted one a request, and acknowledged by one consumer, beside the bare loop',
    {
      limit: limits.posts,
      bar: { of: 'ratio', atLeast: 0.22 },
    },
  );
  figures.add('sustained.one.queue', rate, '1/s', 'the same beside bare BullMQ', { limit: limits.queue });
  const ofHundred = await rig.sustained(hundred, seconds);
  figures.add('sustained.hundred', ofHundred, '1/s', 'the same with 100 consumers, beside one', {
    limit: rate,
    bar: { of: 'ratio', atLeast: 0.9 },
  });
  const ofBatches = await rig.sustained(one, seconds, 100);
  figures.add(
    'sustained.batch',
    ofBatches,
    '1/s',
    'accepted 100 a request, one consumer, beside the bare loop',
    {
      limit: limits.posts,
    },
  );
  figures.add(
    'sql.perDelivery',
    meter.sqlPerDelivery,
    '',
    'SQL statements a delivery, BEGIN and COMMIT included',
    {
      bar: { of: 'value', atMost: 0.15 },
    },
  );
  figures.add(
    'redis.perDelivery',
    meter.redisPerDelivery,
    '',
    'Redis commands a delivery, those inside scripts included',
    {
      bar: { of: 'value', atMost: 12 },
    },
  );
  for (const [name, micros] of Object.entries(meter.cpu))
    figures.add(`cpu.${name}`, micros, 'µs', 'processor time a delivery under that load');
  for (const role of ['api', 'worker'] as const) {
    figures.add(`memory.${role}`, meter.peakMiB[role], 'MiB', 'resident at its peak under that load', {
      bar: { of: 'value', atMost: 250 },
    });
  }
}

/** From posting until the arrival, at a share of the sustained rate. */
export async function measureLatency(
  rig: Rig,
  consumers: Consumers,
  limits: Limits,
  shares: readonly number[],
  seconds: number,
): Promise<void> {
  const { figures } = rig;
  for (const share of shares) {
    const perSecond = Math.round(figures.valueOf('sustained.one') * share);
    const { p50, p99 } = await arrivalsAt(rig, consumers, perSecond, seconds);
    const at = `${String(share * 100)} % of the sustained rate`;
    const isHalf = share === 0.5;
    const suffix = isHalf ? '' : `.at${String(share * 100)}`;
    figures.add(
      `latency.p50${suffix}`,
      p50 - limits.postP50,
      'ms',
      `from posting to arrival at ${at}, above the direct POST`,
      {
        bar: isHalf ? { of: 'value', atMost: 10 } : undefined,
      },
    );
    figures.add(`latency.p99${suffix}`, p99 - limits.postP50, 'ms', `the same, of the slowest hundredth`, {
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

async function arrivalsAt(
  rig: Rig,
  { companies }: Consumers,
  perSecond: number,
  seconds: number,
): Promise<Latencies> {
  await rig.sink.ask('noteArrivals', null);
  const { posted } = await rig.post({ companies, perSecond, seconds, notes: true });
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
