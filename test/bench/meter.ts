import type { Bench } from '#test/bench/bench';
import { walBytesNow } from '#test/bench/growth';
import type { Usage } from '#test/bench/rig';
import { residentMiBOf } from '#test/bench/usage';

/** The resources that a load of the product has used. */
export interface Metered extends Usage {
  /** Not a number on servers that do not count statements. */
  readonly sqlPerDelivery: number;
  /** Write-ahead log of PostgreSQL a delivery. */
  readonly walBytesPerDelivery: number;
  readonly redisPerDelivery: number;
  readonly peakMiB: Readonly<Record<'api' | 'worker', number>>;
}

const SAMPLE_EVERY_MS = 500;

/** Runs `load` and measures it: counters before and after, memory twice a second. */
export async function metered(bench: Bench, load: () => Promise<void>): Promise<Metered> {
  const { environment } = bench;
  const peakMiB = { api: 0, worker: 0 };
  const sample = async (): Promise<void> => {
    for (const role of ['api', 'worker'] as const)
      peakMiB[role] = Math.max(peakMiB[role], await residentMiBOf(environment.pidOf(role)));
  };
  const { sql, servers } = environment;
  if (servers.countStatements) await sql.query('select pg_stat_statements_reset()');
  const before = await countersOf(bench);
  const sampling = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  const used = await bench.usageOf(load);
  clearInterval(sampling);
  await sample();
  const after = await countersOf(bench);
  const each = (read: (counters: Counters) => number): number => (read(after) - read(before)) / used.events;
  return {
    ...used,
    sqlPerDelivery: each(({ statements }) => statements),
    walBytesPerDelivery: each(({ walBytes }) => walBytes),
    redisPerDelivery: each(({ redisCommands }) => redisCommands),
    peakMiB,
  };
}

type Counters = Awaited<ReturnType<typeof countersOf>>;

async function countersOf({ environment: { sql, servers, queue } }: Bench) {
  const redis = await queue.info('stats');
  return {
    statements: servers.countStatements ? await statementsOf(sql) : Number.NaN,
    walBytes: await walBytesNow(sql),
    // Redis counts the commands inside scripts as well.
    redisCommands: Number(/total_commands_processed:(\d+)/.exec(redis)?.[1] ?? 0),
  };
}

async function statementsOf(sql: Bench['environment']['sql']): Promise<number> {
  const { rows } = await sql.query<{ calls: number }>(
    // The benchmark's own statements do not count.
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
  );
  return rows[0]?.calls ?? 0;
}
