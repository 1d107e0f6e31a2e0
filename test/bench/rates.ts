/**
 * Measures what an event costs at several rates, with a young, a filled and a distant database, and what PostgreSQL's disk can do.
 * `npm run bench:rates` writes docs/measurements/rates.md; `-- --seconds 3` is shorter and only prints.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { Bench } from '#test/bench/bench';
import { Child } from '#test/bench/child';
import type { DistantServer } from '#test/bench/distant-server';
import { OWN_DIST } from '#test/bench/environment';
import { Figures } from '#test/bench/figures';
import { metered } from '#test/bench/meter';
import { say } from '#test/bench/numbers';
import { ratesPage, type DiskRates, type RateCosts } from '#test/bench/rates-page';
import type { Consumers } from '#test/bench/rig';

const RATES = [100, 500, 'full'] as const;
type Rate = (typeof RATES)[number];
const WARM_UP_S = 5;
const FILL_S = 20;
/** Added to each answer of PostgreSQL, as if it were on another machine. */
const DELAY_MS = 1;
const COMMITTING = 16;
const DISK_S = 3;

const { values } = parseArgs({ options: { seconds: { type: 'string' } } });
const seconds = Number(values.seconds ?? 8);
const startedAt = new Date();
// Read before the run, because later changes are not measured.
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
  encoding: 'utf8',
});
const costs: RateCosts[] = [];
let disk: DiskRates | undefined;

for (const rate of RATES) await measureWith('young', [rate]);
await measureWith('filled', RATES);
const distant = Child.start<DistantServer>('distant-server.ts');
await measureWith('distant', RATES, (port) => distant.call('proxy', { port, delayMs: DELAY_MS }));
distant.stop();
const page = ratesPage({ commit: commit.trim(), startedAt, seconds, delayMs: DELAY_MS, costs, disk });
say(page);
if (values.seconds === undefined) await writeFile('docs/measurements/rates.md', page);

/** Measures rates on one installation; all but a young one get some ten thousand events first. */
async function measureWith(
  database: 'young' | 'filled' | 'distant',
  rates: readonly Rate[],
  postgresPort?: (port: number) => Promise<number>,
): Promise<void> {
  const bench = await Bench.open(new Figures(), {
    backend: 'redis',
    dist: OWN_DIST,
    servers: 'tuned',
    ...(postgresPort === undefined ? {} : { postgresPort }),
  });
  try {
    const one = await bench.startConsumers(1);
    if (database !== 'young') {
      await bench.sustained(one, FILL_S);
      await bench.environment.sql.query('vacuum analyze');
    }
    for (const rate of rates)
      costs.push({ name: `${database}.${String(rate)}`, ...(await costAt(bench, one, rate)) });
    if (database === 'filled') disk = await diskRates(bench.environment.servers.postgres.adminUrl);
  } finally {
    await bench.close();
  }
}

async function costAt(bench: Bench, one: Consumers, rate: Rate): Promise<Omit<RateCosts, 'name'>> {
  const { sql } = bench.environment;
  const pace = { perSecond: Number(rate), seconds, warmUpS: WARM_UP_S };
  const load = async (): Promise<void> => void (await bench.sustained(one, seconds, { warmUpS: 1 }));
  const counted = async () => {
    const { rows } = await sql.query<{ fpi: number; commits: number }>(
      `select (select wal_fpi::float8 from pg_stat_wal) as fpi,
              (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits`,
    );
    return rows[0] ?? { fpi: Number.NaN, commits: Number.NaN };
  };
  let [before, after] = [await counted(), await counted()];
  const measure = async (during: () => Promise<void>) => {
    before = await counted();
    const measured = await metered(bench, during);
    after = await counted();
    return measured;
  };
  const meter = rate === 'full' ? await measure(load) : (await bench.steadily(one, pace, measure)).measured;
  const { parts, events, walBytesPerDelivery, sqlPerDelivery } = meter;
  return {
    perSecond: events / meter.seconds,
    postgres: parts['postgres'] ?? Number.NaN,
    api: parts['api'] ?? Number.NaN,
    worker: parts['worker'] ?? Number.NaN,
    wal: walBytesPerDelivery,
    pages: (after.fpi - before.fpi) / events,
    statements: sqlPerDelivery,
    commits: (after.commits - before.commits) / events,
  };
}

/** Commits of one row each, from one connection and from several, and bytes of write-ahead log. */
async function diskRates(url: string): Promise<DiskRates> {
  const bytes = "select pg_logical_emit_message(true, 'bench', repeat('x', 1000000))";
  const row = 'insert into commits values (1)';
  await repeated(url, 1, 'create table if not exists commits (n integer)', 0);
  const one = await repeated(url, 1, row);
  const several = await repeated(url, COMMITTING, row);
  return { one, several, connections: COMMITTING, walBytes: 1_000_000 * (await repeated(url, 4, bytes)) };
}

/** @returns how often the connections together have run a statement a second */
async function repeated(url: string, connections: number, statement: string, forS = DISK_S): Promise<number> {
  const until = performance.now() + forS * 1_000;
  const runs = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      let count = 0;
      do {
        await client.query(statement);
        count += 1;
      } while (performance.now() < until);
      await client.end();
      return count;
    }),
  );
  return runs.reduce((sum, count) => sum + count, 0) / forS;
}
