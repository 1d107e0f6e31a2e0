import type { Limits } from '#test/bench/pipeline/measures-limits';
import { metered } from '#test/bench/pipeline/meter';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

/** A load that other systems are measured with, too. */
const CONNECTIONS = 64;
const UNDELIVERED = 2_000;

/** Works off what is there with a worker that has just started. @returns deliveries a second */
export async function measureDrain(
  rig: Rig,
  consumers: Consumers,
  backlog: number,
  limits: Limits,
): Promise<void> {
  const missing = backlog - (await rig.pendingDeliveries());
  if (missing > 0) {
    await rig.post({
      companies: consumers.companies,
      events: missing,
      eventsPerRequest: 100,
      connections: 4,
    });
  }
  const pending = await rig.pendingDeliveries();
  const before = await rig.sink.ask('count', null);
  const startedAt = performance.now();
  await rig.stand.start('worker');
  const readyS = (performance.now() - startedAt) / 1_000;
  await rig.drained();
  const seconds = (performance.now() - startedAt) / 1_000 - readyS;
  const { acknowledged } = await rig.sink.ask('count', null);
  if (acknowledged - before.acknowledged < pending)
    throw new Error('a backlog was drained without being delivered');
  rig.figures.add(
    'drain',
    pending / seconds,
    '1/s',
    `a backlog of ${String(pending)} for one consumer, beside the bare loop`,
    {
      limit: limits.posts,
    },
  );
}

/**
 * Accepting and delivering at once, as fast as the consumers acknowledge.
 * @param limits null where they were not measured
 */
export async function measureSustained(
  rig: Rig,
  one: Consumers,
  hundred: Consumers,
  limits: Limits | null,
  seconds: number,
): Promise<void> {
  const { figures } = rig;
  const posts = { limit: limits?.posts ?? null };
  let rate = 0;
  const meter = await metered(rig, async () => {
    rate = await rig.sustained(one, seconds);
  });
  figures.add(
    'sustained.one',
    rate,
    '1/s',
    'accepted one a request, and acknowledged by one consumer, beside the bare loop',
    { ...posts, bar: { of: 'ratio', atLeast: 0.22 } },
  );
  if (limits !== null)
    figures.add('sustained.one.queue', rate, '1/s', 'the same beside bare BullMQ', { limit: limits.queue });
  const ofHundred = await rig.sustained(hundred, seconds);
  figures.add('sustained.hundred', ofHundred, '1/s', 'the same with 100 consumers, beside one', {
    limit: rate,
    bar: { of: 'ratio', atLeast: 0.9 },
  });
  const ofBatches = await rig.sustained(one, seconds, { eventsPerRequest: 100 });
  figures.add(
    'sustained.batch',
    ofBatches,
    '1/s',
    'accepted 100 a request, one consumer, beside the bare loop',
    posts,
  );
  const of64 = await rig.sustained(one, seconds, {
    connections: CONNECTIONS,
    // Those under way to the api are not accepted yet.
    ahead: UNDELIVERED - CONNECTIONS,
  });
  figures.add(
    'sustained.64',
    of64,
    '1/s',
    `the same as sustained.one over ${String(CONNECTIONS)} connections and with at most 2,000 undelivered, beside the bare loop`,
    posts,
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
