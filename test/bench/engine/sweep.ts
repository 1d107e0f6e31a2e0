import {
  cancelOfRemovedConsumers,
  expireHeld,
  leasesRunOut,
  makeMissingGates,
  migrateToLatest,
  openDatabase,
  overdue,
  patrolLanes,
  queuedFrom,
  releaseForProbes,
  rememberedMarker,
  secretFaults,
  topUp,
  type Database,
} from '#libs/database';
import { OwnPostgres } from '#test/support/own-postgres';
import { sql } from 'kysely';
import { ExplainingDatabase, type Explained } from '#test/bench/engine/explained';
import { printTable, readArguments, round, say, writeJson, type Row } from '#test/bench/engine/report';
import { breakSomething, fillHistory, fillOpen, giveWork } from '#test/bench/engine/sweep-data';

/**
 * What a sweep reads when the tables are large and little is wrong: every statement of the reconciler, of the probes
 * and of the expiry, as the product sends it, explained and rolled back.
 */
const { json, numbers } = readArguments({ history: 5_000_000, repeats: 5 });

interface Step {
  readonly name: string;
  /** Part of every sweep; the others are shown for comparison. */
  readonly isOfSweep: boolean;
  readonly run: (db: Database) => Promise<unknown>;
}

/** With the reconciler's own limits. */
const STEPS: readonly Step[] = [
  { name: 'rememberedMarker', isOfSweep: true, run: rememberedMarker },
  { name: 'leasesRunOut', isOfSweep: true, run: (db) => leasesRunOut(db, 2_000) },
  {
    name: 'overdue',
    isOfSweep: true,
    run: (db) => overdue(db, { graceMs: 5_000, ofEach: 200, limit: 2_000 }),
  },
  { name: 'makeMissingGates', isOfSweep: true, run: makeMissingGates },
  { name: 'secretFaults', isOfSweep: true, run: secretFaults },
  { name: 'topUp', isOfSweep: true, run: (db) => topUp(db, undefined) },
  { name: 'patrolLanes', isOfSweep: true, run: (db) => patrolLanes(db, null, 500) },
  { name: 'cancelOfRemovedConsumers', isOfSweep: true, run: (db) => cancelOfRemovedConsumers(db, 2_000) },
  { name: 'releaseForProbes', isOfSweep: true, run: releaseForProbes },
  { name: 'expireHeld', isOfSweep: true, run: (db) => expireHeld(db, new Date(), 500) },
  {
    name: 'queuedFrom (a page, Redis emptied)',
    isOfSweep: false,
    run: (db) => queuedFrom(db, null, 2_000),
  },
];

const postgres = await OwnPostgres.create({
  // Made once and thrown away: how it was written plays no part in how it is read.
  durable: false,
  settings: {
    shared_buffers: '512MB',
    max_wal_size: '8GB',
    maintenance_work_mem: '256MB',
    autovacuum: 'off',
  },
});
try {
  const url = postgres.url('postgres');
  await migrateToLatest(url);
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0 });
  try {
    await fill(db);
    const rounds: Record<string, ExplainedStep[]> = {};
    const measure = async (title: string): Promise<void> => {
      rounds[title] = await explainSteps(url, numbers.repeats);
      report(title, rounds[title]);
    };
    await measure('tables that were never analysed');
    await sql.raw('vacuum analyze').execute(db);
    await measure('analysed, a handful of wrong things');
    await giveWork(db);
    await measure('analysed, work for every step');
    await writeJson(json, { history: numbers.history, repeats: numbers.repeats, rounds });
  } finally {
    await db.destroy();
  }
} finally {
  await postgres.remove();
}

async function fill(db: Database): Promise<void> {
  say(`filling: ${String(numbers.history)} finished deliveries`);
  const nowMs = Date.now();
  await fillOpen(db, nowMs);
  await fillHistory(db, numbers.history, nowMs);
  await breakSomething(db);
  const { rows } = await sql<{ state: string; hold_reason: string; rows: string }>`
    select state, coalesce(hold_reason, '') as hold_reason, count(*)::text as rows from open_deliveries
    group by 1, 2 order by 1, 2`.execute(db);
  printTable(
    'open deliveries',
    rows.map((row) => ({ ...row, rows: Number(row.rows) })),
  );
}

interface ExplainedStep {
  readonly name: string;
  readonly isOfSweep: boolean;
  readonly found: number;
  readonly statements: readonly Explained[];
}

/** The last of several runs, since the first fills the caches; of expireHeld, which commits, the first. */
async function explainSteps(url: string, repeats: number): Promise<ExplainedStep[]> {
  const explaining = await ExplainingDatabase.open(url);
  try {
    const steps: ExplainedStep[] = [];
    for (const { name, isOfSweep, run } of STEPS) {
      const turns = name === 'expireHeld' ? 1 : repeats;
      for (let turn = 1; turn <= turns; turn += 1) {
        const { statements, answer } = await explaining.explain(run);
        if (turn === turns) steps.push({ name, isOfSweep, statements, found: foundIn(answer) });
      }
    }
    return steps;
  } finally {
    await explaining.close();
  }
}

function foundIn(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer === 'number') return answer;
  if (typeof answer !== 'object' || answer === null) return 0;
  if ('dead' in answer) return foundIn(answer.dead);
  if ('released' in answer) return foundIn(answer.released);
  return 0;
}

function report(title: string, steps: readonly ExplainedStep[]): void {
  say(`\n=== ${title}`);
  for (const { name, statements } of steps) {
    for (const { plan, rowsByRelation } of statements) {
      say(`\n${name}: ${JSON.stringify(rowsByRelation)}`);
      for (const line of plan) say(`  ${line}`);
    }
  }
  const swept = steps.filter((step) => step.isOfSweep);
  const total = costOf(
    'a sweep in all',
    sum(swept, (step) => step.found),
    swept.flatMap((step) => step.statements),
  );
  printTable(`a sweep over ${String(numbers.history)} finished deliveries; ${title}`, [
    ...steps.map(({ name, found, statements }) => costOf(name, found, statements)),
    total,
  ]);
}

function costOf(step: string, found: number, statements: readonly Explained[]): Row {
  return {
    step,
    found,
    rows_read: sum(statements, (s) => s.rowsRead),
    buffers: sum(statements, (s) => s.buffers),
    ms: round(
      sum(statements, (s) => s.ms),
      2,
    ),
  };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
