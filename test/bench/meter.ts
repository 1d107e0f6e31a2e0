import type { Bench } from '#test/bench/bench';
import { cpuSecondsOf, residentMiBOf } from '#test/bench/usage';

/** The resources that a load has used. */
export interface Metered {
  /** Microseconds of processor time a delivery, by process. */
  readonly cpu: Readonly<Record<ProcessName, number>>;
  readonly sqlPerDelivery: number;
  /** Write-ahead log of PostgreSQL a delivery. */
  readonly walBytesPerDelivery: number;
  readonly redisPerDelivery: number;
  readonly peakMiB: Readonly<Record<'api' | 'worker', number>>;
}

/** The product and its servers. */
export const PRODUCT = ['api', 'worker', 'postgres', 'redis'] as const;
const PROCESSES = [...PRODUCT, 'consumers', 'producers'] as const;
type ProcessName = (typeof PROCESSES)[number];

const SAMPLE_EVERY_MS = 500;

/** Runs `load` and measures it: counters before and after, memory twice a second. */
export async function metered(bench: Bench, load: () => Promise<void>): Promise<Metered> {
  const { environment } = bench;
  const peakMiB = { api: 0, worker: 0 };
  const sample = async (): Promise<void> => {
    for (const role of ['api', 'worker'] as const)
      peakMiB[role] = Math.max(peakMiB[role], await residentMiBOf(environment.pidOf(role)));
  };
  await environment.sql.query('select pg_stat_statements_reset()');
  const before = await countersOf(bench);
  const sampling = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  await load();
  clearInterval(sampling);
  await sample();
  const after = await countersOf(bench);
  const deliveries = after.acknowledged - before.acknowledged;
  const each = (read: (counters: Counters) => number): number => (read(after) - read(before)) / deliveries;
  return {
    cpu: byProcess((name) => each(({ cpu }) => cpu[name] * 1e6)),
    sqlPerDelivery: each(({ statements }) => statements),
    walBytesPerDelivery: each(({ walBytes }) => walBytes),
    redisPerDelivery: each(({ redisCommands }) => redisCommands),
    peakMiB,
  };
}

type Counters = Awaited<ReturnType<typeof countersOf>>;

async function countersOf({ environment, consumers, producers }: Bench) {
  const pids: Readonly<Record<ProcessName, number>> = {
    api: environment.pidOf('api'),
    worker: environment.pidOf('worker'),
    postgres: environment.postgres.pid,
    redis: environment.redis.pid,
    consumers: consumers.pid,
    producers: producers.pid,
  };
  const cpu = byProcess(() => 0);
  for (const name of PROCESSES) cpu[name] = await cpuSecondsOf(pids[name]);
  const { acknowledged } = await consumers.call('count', null);
  const { rows } = await environment.sql.query<{ statements: number; wal: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal,
            (select coalesce(sum(calls), 0)::float8 from pg_stat_statements
             -- The benchmark's own statements do not count.
             where query not like '%pg_stat_statements%') as statements`,
  );
  const redis = await environment.queue.info('stats');
  return {
    cpu,
    acknowledged,
    statements: rows[0]?.statements ?? 0,
    walBytes: rows[0]?.wal ?? 0,
    // Redis counts the commands inside scripts as well.
    redisCommands: Number(/total_commands_processed:(\d+)/.exec(redis)?.[1] ?? 0),
  };
}

function byProcess(of: (name: ProcessName) => number): Record<ProcessName, number> {
  return {
    api: of('api'),
    worker: of('worker'),
    postgres: of('postgres'),
    redis: of('redis'),
    consumers: of('consumers'),
    producers: of('producers'),
  };
}
