import { cpus } from 'node:os';

/** What an event with one delivery costs at a rate. */
export interface RateCosts {
  /** The database and the rate: `young.100`. */
  readonly name: string;
  /** Events a second that arrived. */
  readonly perSecond: number;
  /** Milliseconds of processor time. */
  readonly postgres: number;
  readonly api: number;
  readonly worker: number;
  /** Bytes of write-ahead log. */
  readonly wal: number;
  /** Whole pages in it, which the first change after a checkpoint writes. */
  readonly pages: number;
  readonly statements: number;
  readonly commits: number;
}

/** What PostgreSQL and its disk can do, a second. */
export interface DiskRates {
  readonly one: number;
  readonly several: number;
  readonly connections: number;
  readonly walBytes: number;
}

interface RatesRun {
  readonly commit: string;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly delayMs: number;
  readonly costs: readonly RateCosts[];
  readonly disk: DiskRates | undefined;
}

const COLUMNS = ['perSecond', 'postgres', 'api', 'worker', 'wal', 'pages', 'statements', 'commits'] as const;
const count = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : 0 });

/** A run as a Markdown page; test/docs/sizing.spec.ts reads it. */
export function ratesPage({ commit, startedAt, seconds, delayMs, costs, disk }: RatesRun): string {
  const rows = costs.map(
    (cost) => `| \`${cost.name}\` | ${COLUMNS.map((column) => count(cost[column])).join(' | ')} |`,
  );
  return `# Rates

Written by \`npm run bench:rates\`; manual changes are lost. [Sizing](../sizing.md) uses the figures.

Measured at ${commit} on ${startedAt.toISOString().slice(0, 10)}, on ${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}: an api, a worker, PostgreSQL 18 with fsync, Redis, one consumer
and the producers share the processors. Each rate was measured for ${String(seconds)} s, after ${String(5)} s of the same load.

What an event with one delivery costs:

| database and rate | ${COLUMNS.join(' | ')} |
|---|${COLUMNS.map(() => '---:').join('|')}|
${rows.join('\n')}

- \`young\` has just been migrated and has no statistics; each rate has its own. \`filled\` had some ten thousand events first, then \`vacuum
  analyze\`. \`distant\` is the same, and each answer of PostgreSQL comes ${String(delayMs)} ms later, through a proxy whose processor time does not count.
- \`full\` is as fast as the consumer acknowledges, with at most 800 events accepted and not acknowledged; \`perSecond\` is what arrived.
- \`postgres\`, \`api\` and \`worker\` are milliseconds of processor time, \`wal\` bytes of write-ahead log, \`pages\` whole pages in it (8 KiB before their
  free space is left out): the first change of a page after a checkpoint.

What PostgreSQL did with this disk, a second:

| figure | value | of |
|---|---:|---|
| \`commits.one\` | ${count(disk?.one ?? Number.NaN)} 1/s | commits of one row each, one connection |
| \`commits.several\` | ${count(disk?.several ?? Number.NaN)} 1/s | the same, ${String(disk?.connections)} connections: several commits share an fsync |
| \`wal.most\` | ${count(disk?.walBytes ?? Number.NaN)} B/s | write-ahead log, commits of 1 MB |
`;
}
