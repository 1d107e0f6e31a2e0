import { cpus, totalmem } from 'node:os';
import {
  partsOf,
  SERIES,
  seriesNames,
  type Sample,
  type Totals,
  type Verdict,
} from '#test/bench/endurance-verdicts';
import { median } from '#test/bench/numbers';

export interface EnduranceRun {
  readonly commit: string;
  readonly startedAt: string;
  readonly minutes: number;
  /** Events a second, measured just before. */
  readonly sustained: number;
  /** Events a second of the run. */
  readonly perSecond: number;
  readonly totals: Totals;
  readonly verdicts: readonly Verdict[];
  readonly samples: readonly Sample[];
}

const count = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });

/** A run as a Markdown page. */
export function endurancePage(run: EnduranceRun): string {
  const { commit, startedAt, minutes, sustained, perSecond, totals, verdicts, samples } = run;
  const missed = verdicts.filter(({ isMet }) => !isMet).map(({ name }) => `\`${name}\``);
  const part = minutes / 6;
  const parts = Array.from(
    { length: 6 },
    (_, index) => `${count(index * part)} to ${count((index + 1) * part)} min`,
  );
  return `# Endurance

Written by \`npm run bench:endurance\`; manual changes are lost.

Measured at ${commit} on ${startedAt.slice(0, 10)}: an api, a worker, PostgreSQL 18 with fsync, Redis, 100 consumers and the producers on
${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, ${String(Math.round(totalmem() / 2 ** 30))} GiB. The machine sustained ${count(sustained)} events a second just before;
the run had ${count(perSecond)} a second, 60 % of it, for ${count(minutes)} minutes: ${count(totals.posted)} events, each accepted alone and delivered to one consumer.

**${String(verdicts.length - missed.length)} of ${String(verdicts.length)} limits met${missed.length === 0 ? '' : `; not met: ${missed.join(', ')}`}.**

![Memory, statement times, tables, rate and latency during the run](../images/endurance.png)

## Limits

The first sixth of the run is not judged. The second one is the reference of memory and times; dashed lines in the picture are its ends.

| figure | reference | worst | must be | |
|---|---:|---:|---|---|
${verdicts.map(({ name, reference, worst, must, isMet }) => `| \`${name}\` | ${count(reference)} | ${count(worst)} | ${must} | ${isMet ? 'met' : '**not met**'} |`).join('\n')}

## Medians of each part

| series | unit | ${parts.join(' | ')} |
|---|---|${parts.map(() => '---:').join('|')}|
${seriesNames.map((name) => `| \`${name}\` | ${SERIES[name]} | ${partsOf(samples, name).map(median).map(count).join(' | ')} |`).join('\n')}

- \`memory.api\` and \`memory.worker\` are resident memory; \`memory.postgres\` is the memory of its processes that is not shared, so without
  \`shared_buffers\`, of those that have run for a minute: autovacuum's workers and the pools' further connections come and
  go. \`memory.backend\` is the largest of them. \`heap\` is V8's heap in use, garbage included.
- \`ms.accept\`, \`ms.fetch\` and \`ms.record\` are the mean times of a call in PostgreSQL, by \`pg_stat_statements\`: each is one batch.
  \`ms.retention\` is the time in which one run of the retention removed what was due.
- \`size\` has rows, indexes and TOAST; \`dead\` is \`n_dead_tup\`. \`backlog\` is \`pending_deliveries\`.
- \`accept\` is the time of a producer's request, \`arrival\` the time from its first byte to the arrival at the consumer.

## What was compressed, and what this does not show

A week is ${count((minutes * 60) / 12)} seconds here. Partitions of that length were made ahead with the statements of \`ensurePartitions\`: ${count(totals.partitionsMade)} of each
table. Every ten seconds the product's own \`dropOldPartitions\`, \`trimPayments\` and \`trimIdempotencyKeys\` got a moment as now at which everything older
than one such week had lapsed; they dropped ${count(totals.partitionsDropped)} partitions of each table under load.

- Nothing is older than two such weeks: tables of full size, their indexes and their vacuum were not measured. Payments and idempotency keys come and go
  thousands of times as fast as in production, so their dead rows and their size compared with their rows are worse here.
- All consumers answer at once. Failures, circuits and restarts are in [chaos](chaos.md), and a million pending deliveries in [pipeline](pipeline.md).
- Growth by less than 5 % in ${count(minutes)} minutes is not seen.
`;
}
