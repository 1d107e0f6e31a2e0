import {
  migrateToLatest,
  ConsumerHealthRepository,
  QueueStateRepository,
  StatisticsRepository,
} from '#libs/database';
import pg from 'pg';
import { ExplainingDatabase, poolsOver, type Pools } from '#test/bench/engine/explained';
import {
  median,
  printTable,
  readArguments,
  round,
  say,
  writeJson,
  type Row,
} from '#test/bench/engine/report';
import { casesOf, namesIn, type Case } from '#test/bench/lists/cases';
import { fillHistory, fillStatistics } from '#test/bench/lists/history';
import { OwnPostgres } from '#test/support/own-postgres';

/**
 * How long every list of the api takes, with each of its filters, at its beginning and deep inside, on 90 days of a
 * busy installation; and what the screens ask beside lists. Warm: the median of several runs after a first one.
 */
const { json, numbers } = readArguments({ events: 1_000_000, runs: 5, slowest: 8 });

const DAY_MS = 86_400_000;
const LIMIT = 100;
/** What a list may take, in milliseconds, at an offset. */
const PLACES = [
  { offset: 0, mostMs: 100 },
  { offset: 100_000, mostMs: 500 },
] as const;

interface Measured {
  readonly row: Row & { readonly ms: number; readonly most_ms: number };
  readonly again: (pools: Pools) => Promise<unknown>;
}

const postgres = await OwnPostgres.create({
  // Made once and thrown away: how it was written plays no part in how it is read.
  durable: false,
  settings: { shared_buffers: '2GB', max_wal_size: '8GB', maintenance_work_mem: '256MB', autovacuum: 'off' },
});
try {
  const url = postgres.url('postgres');
  await migrateToLatest(url);
  const pools = poolsOver(new pg.Pool({ connectionString: url, max: 4 }));
  const { db } = pools;
  try {
    say(`filling: ${String(numbers.events)} events`);
    const nowMs = Date.now();
    await fillHistory(db, numbers.events, nowMs);
    await fillStatistics(db, nowMs);
    const measured = [
      ...(await measureLists(pools, casesOf(await namesIn(db)))),
      ...(await measureScreens(pools, nowMs)),
    ];
    printTable(
      'lists and screens, warm',
      measured.map(({ row }) => row),
    );
    const late = measured.filter(({ row }) => row.ms > row.most_ms);
    say(late.length === 0 ? '\nall in time' : `\n${String(late.length)} too slow`);
    const plans = await explainSlowest(url, measured);
    await writeJson(json, { numbers, rows: measured.map(({ row }) => row), plans });
    if (late.length > 0) process.exitCode = 1;
  } finally {
    await db.destroy();
  }
} finally {
  await postgres.remove();
}

async function measureLists(pools: Pools, cases: readonly Case[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { list, filter, read } of cases) {
    for (const { offset, mostMs } of PLACES) {
      const again = (over: Pools): Promise<unknown[]> => read(over, { offset, limit: LIMIT });
      const { ms, answer } = await timed(() => again(pools));
      const rows = Math.min(LIMIT, answer.length);
      measured.push({ row: { list, filter, offset, ms, most_ms: mostMs, rows }, again });
    }
  }
  return measured;
}

/** What `GET /v1/queue` and `GET /v1/stats` ask, question by question. */
async function measureScreens(given: Pools, nowMs: number): Promise<Measured[]> {
  const since = (days: number): Date => new Date(nowMs - days * DAY_MS);
  const to = new Date(nowMs);
  const state = (pools: Pools): QueueStateRepository => new QueueStateRepository(pools.reading);
  const stats = (pools: Pools): StatisticsRepository => new StatisticsRepository(pools.db, pools.reading);
  const health = (pools: Pools): ConsumerHealthRepository => new ConsumerHealthRepository(pools.reading);
  const consumers = await health(given).conditions();
  const questions: Readonly<Record<string, (pools: Pools) => Promise<unknown>>> = {
    'queue: pendingStates': (pools) => state(pools).pendingStates(),
    'queue: unrouted': (pools) => state(pools).unrouted(since(90)),
    'queue: consumers': (pools) => health(pools).conditions(),
    'queue: waiting': (pools) => health(pools).waiting(),
    'queue: activity': (pools) =>
      health(pools).activity(new Date(nowMs - 15 * 60_000), new Date(nowMs - 5 * 60_000)),
    'queue: dead': (pools) => health(pools).dead(),
    'queue: 100 causes': (pools) =>
      health(pools).causes(consumers.slice(0, 100).map(({ id }) => ({ id, failures: 1_000 }))),
    'stats: a day': (pools) => stats(pools).steps({ from: since(1), to, stepSeconds: 60 }),
    'stats: 90 days': (pools) => stats(pools).steps({ from: since(90), to, stepSeconds: 7_200 }),
  };
  const measured: Measured[] = [];
  for (const [filter, again] of Object.entries(questions)) {
    const { ms } = await timed(() => again(given));
    measured.push({ row: { list: 'screens', filter, offset: 0, ms, most_ms: 2_000, rows: 0 }, again });
  }
  return measured;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  let answer = await work();
  const runs: number[] = [];
  for (let run = 0; run < numbers.runs; run += 1) {
    const startedAt = performance.now();
    answer = await work();
    runs.push(performance.now() - startedAt);
  }
  return { ms: round(median(runs)), answer };
}

/** The plans of what took the most of its time, without the parts that were never run. */
async function explainSlowest(url: string, measured: readonly Measured[]): Promise<object[]> {
  const explaining = await ExplainingDatabase.open(url);
  try {
    const slowest = measured
      .toSorted((one, other) => other.row.ms / other.row.most_ms - one.row.ms / one.row.most_ms)
      .slice(0, numbers.slowest);
    const plans: object[] = [];
    for (const { row, again } of slowest) {
      const { statements } = await explaining.explain(again);
      say(
        `\n${String(row['list'])}, ${String(row['filter'])}, from ${String(row['offset'])}: ${String(row.ms)} ms`,
      );
      for (const { ms, buffers, plan } of statements) {
        say(`  ${String(ms)} ms, ${String(buffers)} buffers`);
        for (const line of plan.filter((step) => !step.endsWith('x 0)'))) say(`    ${line}`);
      }
      plans.push({ ...row, statements });
    }
    return plans;
  } finally {
    await explaining.close();
  }
}
