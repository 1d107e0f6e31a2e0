import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '#test/bench/engine/report';
import { chartsOf, type Chart } from '#test/bench/pipeline/charts';
import { partsInWords, type Figure, type Figures } from '#test/bench/pipeline/figures';
import type { Plan } from '#test/bench/pipeline/plan';

export interface Run {
  readonly commit: string;
  readonly machine: string;
  readonly startedAt: Date;
  readonly minutes: number;
  readonly plan: Plan;
  readonly figures: Figures;
}

/** Writes benchmarks.md and its charts into the folder. */
export async function writePage(folder: string, run: Run): Promise<void> {
  const charts = chartsOf(run.figures);
  await mkdir(join(folder, 'images'), { recursive: true });
  for (const { file, svg } of charts) await writeFile(join(folder, 'images', file), svg);
  await writeFile(join(folder, 'benchmarks.md'), pageOf(run, charts));
  say(`written to ${join(folder, 'benchmarks.md')}`);
}

function pageOf(
  { commit, machine, startedAt, minutes, plan, figures }: Run,
  charts: readonly Chart[],
): string {
  const barred = figures.all.filter(({ bar }) => bar !== null);
  const missed = barred.filter(({ isMet }) => isMet !== true);
  const { beyond } = plan;
  return `# Benchmarks

Written by \`npm run bench\`; changes by hand are lost. What the figures mean, why some bars are not met and what it would
take: [measurements/pipeline.md](measurements/pipeline.md).

| | |
|---|---|
| machine | ${machine} |
| commit | ${commit} |
| when | ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${minutes.toFixed(0)} minutes |
| bars | ${String(barred.length - missed.length)} of ${String(barred.length)} met; not met: ${missed.length === 0 ? 'none' : missed.map(({ name }) => `\`${name}\``).join(', ')} |

To repeat: \`npm run bench\` on a machine that does nothing else, or \`npm run bench -- --quick --json FILE\` for the first part of it
in four minutes.

## What is measured

An api and a worker as in production, PostgreSQL with fsync, Redis with \`appendfsync everysec\`, producers and consumers in processes of
their own, all on the machine above. Complete ACH and wire envelopes, signed; each payment has four statuses, 4,000 events apart.

- Limits (\`bare\`) are the parts without the product, in the same run, ${String(plan.limitS)} s each.
- \`accept\` takes in without a worker (${String(plan.acceptS)} s); \`drain\` works off what that has left, at least ${count(plan.backlog)}.
- \`sustained\` accepts and delivers at once, ${String(plan.sustainedS)} s, producers at most 800 events ahead of the consumers; \`sql\`, \`redis\`,
  \`cpu\` and \`memory\` are those of \`sustained.one\`.
- \`everyday\` is a load of 100 events a second, or of as many as its name says, ${String(plan.everydayS)} s behind a warm-up; its processor time is
  that of api, worker, PostgreSQL and Redis together.
- \`arrival\` is from the producer's first byte to the arrival at the consumer, at a steady rate for ${String(plan.latencyS)} s; \`latency\` is what of it
  is above the direct POST.${beyond === null ? '' : whatElse(plan, beyond)}

Each figure was measured once, unless its row says otherwise.

## Charts

${charts.map(({ file, title }) => `![${title}](images/${file})`).join('\n\n')}

## Figures

A ratio is the value by its limit.

| figure | what | value | limit | ratio | has to be | |
|---|---|---:|---:|---:|---|---|
${figures.all.map(row).join('\n')}
`;
}

const whatElse = (
  { sustainedS, workersS, orderPayments }: Plan,
  { consumersS, deadBacklog, finished }: NonNullable<Plan['beyond']>,
): string => `
- \`consumer\` are consumers that are slow, fail or are dead, ${String(consumersS)} s each.
- \`order\` posts the whole lives of ${count(orderPayments)} payments a turn, in turn for consumers that want their order and for
  consumers that do not.
- \`workers\` are one and four workers of an installation that waits more than it computes, ${String(workersS)} s each.
- \`backlog\` is one dead consumer's, ${count(deadBacklog)} deliveries, posted like all others.
- \`backend\` is an installation with its queue in PostgreSQL, ${String(sustainedS)} s.
- \`history\` are two installations in turn, ${String(sustainedS)} s each: an empty one, and one with ${count(finished)} finished deliveries of 90 days with
  their events (bodies cut short), attempts, payments and keys, copied from real ones.`;

function row(figure: Figure): string {
  const { name, about, value, unit, limit, ratio, parts, bar, isMet } = figure;
  const met = bar === null ? '' : isMet === null ? '**cannot be told**' : isMet ? 'met' : '**not met**';
  const what = parts === null ? about : `${about}: ${partsInWords(figure)}`;
  const cells = [`\`${name}\``, what, `${count(value)} ${unit}`.trim(), limit === null ? '' : count(limit)];
  return `| ${[...cells, ratio ?? '', bar ?? '', met].join(' | ')} |`;
}

const count = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 });
