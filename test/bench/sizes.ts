/**
 * Measures what an event, a delivery and an attempt take: bytes of tables with their indexes and TOAST, write-ahead log,
 * and Redis' memory. These are bytes and counts, so other processes of the machine hardly matter.
 * `npm run bench:sizes` writes docs/measurements/sizes.md; `-- --events 2000` is shorter and only prints.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newId } from '#libs/contracts';
import { Bench } from '#test/bench/bench';
import { OWN_DIST } from '#test/bench/environment';
import { Figures } from '#test/bench/figures';
import { bytesOf, growthOf, walBytesNow } from '#test/bench/growth';
import type { Consumers } from '#test/bench/rig';
import { writeSizesPage } from '#test/bench/sizes-page';
import { openQueue } from '#test/support/open-queue';
import { waitUntil } from '#test/support/wait-until';

/** A whole number of turns of `bodyOf`, so that every payment gets its four statuses. */
const EVENTS = 16_000;
const STATUSES = 4;
/** Slow enough that a payment's next status comes after the former one was delivered. */
const PER_SECOND = 250;
/** As many events as five minutes, the default of checkpoint_timeout, have at a million events a day. */
const CHECKPOINT_EVERY = 3_500;
const FAILED_ATTEMPTS = 1_000;
const IDLE_S = 20;
const WAITING_CONSUMERS = 20_000;
const STATISTICS_ROWS = 20_000;

const { values } = parseArgs({ options: { events: { type: 'string' } } });
const events = Number(values.events ?? EVENTS);
// Read before the run, because later changes are not measured.
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
  encoding: 'utf8',
});
const startedAt = new Date();
const figures = new Figures();
const bench = await Bench.open(figures, { backend: 'redis', dist: OWN_DIST, servers: 'tuned' });
const { sql } = bench.environment;
try {
  await measureIdle();
  const one = await bench.startConsumers(1);
  await deliver(one, 2_000);
  await measureRows(one);
  await measureCheckpoints(one);
  await measureFailures();
  await measureStatistics();
  await measureRedis();
} finally {
  await bench.close();
}
if (values.events === undefined)
  await writeSizesPage('docs/measurements/sizes.md', {
    commit: commit.trim(),
    startedAt,
    events,
    figures: figures.all,
  });

/** Delivers events to one consumer each, then to three: the difference is two deliveries. */
async function measureRows(one: Consumers): Promise<void> {
  const alone = await growthOf(sql, () => deliver(one, events));
  const three = await bench.startConsumers(1);
  for (let more = 0; more < 2; more += 1)
    await bench.environment.register(three.companies, three.ports, { maxConcurrency: 1_000 });
  const shared = await growthOf(sql, () => deliver(three, events));

  const { rows } = await sql.query<{ body: number }>(
    'select avg(octet_length(body))::float8 as body from events',
  );
  figures.add(
    'body',
    rows[0]?.body ?? 0,
    'B',
    'envelope as sent; two of three are ACH, one is a wire, complete',
  );
  const perEvent = (table: string): number => bytesOf(alone, table) / events;
  figures.add('event', perEvent('events'), 'B', 'event');
  figures.add('payment', perEvent('payments') * STATUSES, 'B', 'payment');
  figures.add('key', perEvent('idempotency_keys'), 'B', 'idempotency key');
  figures.add('delivery', perEvent('deliveries'), 'B', 'finished delivery');
  figures.add(
    'attempt',
    perEvent('attempts'),
    'B',
    'acknowledged attempt; the consumer answers without a body',
  );
  const delivery = (shared.walBytes - alone.walBytes) / events / 2;
  figures.add(
    'wal.event',
    alone.walBytes / events - delivery,
    'B',
    'write-ahead log of an event without its deliveries, with vacuum',
  );
  figures.add(
    'wal.delivery',
    delivery,
    'B',
    'write-ahead log of a delivery that is acknowledged at once, with vacuum',
  );
}

/** The same load as for one consumer, but the first change of a page after a checkpoint writes the whole page. */
async function measureCheckpoints(one: Consumers): Promise<void> {
  const everyMs = (CHECKPOINT_EVERY / PER_SECOND) * 1_000;
  const { walBytes } = await growthOf(sql, async () => {
    await sql.query('checkpoint');
    const checkpoints = setInterval(() => void sql.query('checkpoint'), everyMs);
    try {
      await deliver(one, events);
    } finally {
      clearInterval(checkpoints);
    }
  });
  figures.add(
    'wal.checkpoints',
    walBytes / events,
    'B',
    `write-ahead log of an event with one delivery and a checkpoint every ${CHECKPOINT_EVERY.toLocaleString('en')} events`,
  );
}

/** The write-ahead log of heartbeats and recurring work. */
async function measureIdle(): Promise<void> {
  await sql.query('vacuum');
  const before = await walBytesNow(sql);
  await pause(IDLE_S * 1_000);
  const perSecond = ((await walBytesNow(sql)) - before) / IDLE_S;
  figures.add('wal.idle', perSecond, 'B/s', 'write-ahead log of an api and a worker without events');
}

/** The rows of attempts that failed; the retries come before the circuit opens after a minute. */
async function measureFailures(): Promise<void> {
  const failing = await bench.startConsumers(1, { answer: '503' });
  const attempts = async (): Promise<number> => {
    const { rows } = await sql.query<{ count: number }>(
      'select count(*)::integer as count from attempts where failed_consumer_id = any ($1::uuid[])',
      [failing.ids],
    );
    return rows[0]?.count ?? 0;
  };
  let made = 0;
  await bench.postBacklog(failing, FAILED_ATTEMPTS);
  const before = await attempts();
  const growth = await growthOf(sql, async () => {
    made = await waitUntil(async () => (await attempts()) >= FAILED_ATTEMPTS && (await attempts()), {
      what: `${String(FAILED_ATTEMPTS)} attempts to fail`,
      deadlineMs: 120_000,
    });
  });
  figures.add(
    'failed',
    bytesOf(growth, 'attempts') / (made - before),
    'B',
    'failed attempt; the consumer answers without a body',
  );
  figures.add('wal.failed', growth.walBytes / (made - before), 'B', 'write-ahead log of a failed attempt');
  await bench.remove(failing);
}

/** The load above has few rows of statistics, so they are inserted: each of another consumer, with one delivery. */
async function measureStatistics(): Promise<void> {
  const growth = await growthOf(sql, async () => {
    await sql.query(
      `insert into stats_minutes (consumer_id, minute, process_id, accepted, delivered, dead, attempts, failed_attempts, latency)
       -- 17 buckets reach to 500 ms.
       select gen_random_uuid(), date_trunc('minute', now()), gen_random_uuid(), 0, 1, 0, 1, 0, array_fill(0, array[17])
       from generate_series(1, $1::integer)`,
      [STATISTICS_ROWS],
    );
  });
  figures.add(
    'statistics',
    bytesOf(growth, 'stats_minutes') / STATISTICS_ROWS,
    'B',
    'statistics of a consumer and a process in a minute; deliveries took up to 500 ms',
  );
}

/** The memory of Redis for consumers that wait for a worker, and for consumers that wait for a later time. */
async function measureRedis(): Promise<void> {
  const { redis } = bench.environment.servers;
  await using opened = await openQueue({ backend: 'redis', url: redis.url, namespace: 'sizes' });
  const memory = (): Promise<number> =>
    redis.asked(async (connection) =>
      Number(/used_memory:(\d+)/.exec(await connection.info('memory'))?.[1] ?? 0),
    );
  const ids = (): string[] => Array.from({ length: WAITING_CONSUMERS }, () => newId());
  const empty = await memory();
  await opened.queue.addConsumers(ids());
  const waiting = await memory();
  await opened.queue.addTimers(ids().map((consumerId) => ({ consumerId, inMs: 3_600_000 })));
  const timers = await memory();
  figures.add(
    'redis.empty',
    empty / 2 ** 20,
    'MiB',
    'memory of Redis without jobs, with the connections of the processes',
  );
  figures.add(
    'redis.job',
    (waiting - empty) / WAITING_CONSUMERS,
    'B',
    'memory of Redis for a consumer’s job',
  );
  figures.add(
    'redis.timer',
    (timers - waiting) / WAITING_CONSUMERS,
    'B',
    'memory of Redis for a consumer’s timer',
  );
}

/** Posts at a steady pace, waits until everything is delivered, and does at once what autovacuum does at some time. */
async function deliver(consumers: Consumers, count: number): Promise<void> {
  await bench.post({ companies: consumers.companies, events: count, perSecond: PER_SECOND, connections: 32 });
  await waitUntil(async () => (await sql.query('select from pending_deliveries limit 1')).rowCount === 0, {
    what: 'everything to be delivered',
    deadlineMs: 300_000,
  });
  await sql.query('vacuum');
}
