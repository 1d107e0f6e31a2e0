import { writeFile } from 'node:fs/promises';
import { besideSectionOf } from '#test/bench/beside-page';
import { partsInWords, type Figure } from '#test/bench/figures';

export interface Run {
  readonly commit: string;
  readonly machine: string;
  readonly startedAt: Date;
  readonly minutes: number;
  readonly figures: readonly Figure[];
}

/** Writes a run's figures as a Markdown page, and keeps its section of a run beside a peer. */
export async function writePage(file: string, run: Run): Promise<void> {
  await writeFile(file, pageOf(run) + (await besideSectionOf(file)));
}

function pageOf({ commit, machine, startedAt, minutes, figures }: Run): string {
  const judged = figures.filter(({ target }) => target !== null);
  const missed = judged.filter(({ isMet }) => isMet !== true).map(({ name }) => `\`${name}\``);
  return `# Benchmarks

Written by \`npm run bench\`; manual changes are lost. [measurements/pipeline.md](measurements/pipeline.md) explains the figures.

| | |
|---|---|
| machine | ${machine} |
| commit | ${commit} |
| when | ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${minutes.toFixed(0)} minutes |
| targets | ${String(judged.length - missed.length)} of ${String(judged.length)} met; not met: ${missed.length === 0 ? 'none' : missed.join(', ')} |

An api and a worker as in production, PostgreSQL with fsync, Redis with \`appendfsync everysec\`, producers and consumers, each in
its own process, all on this machine. Complete ACH and wire envelopes, signed; each payment has four statuses.

- \`cold\` and \`everyday.cold\` begin with the first event of a young database: created, migrated, and analyzed while it is empty.
  All other figures of \`everyday\`, \`sustained\` and \`broken\` come after 75 seconds at 100 events a second.
- \`sustained\` accepts and delivers at the same time. At most 800 events are accepted and not acknowledged.
- \`latency\` is the time from the first byte of a producer's request to the arrival at the consumer.
- \`everyday\` posts at a steady rate. Its processor time is that of api, worker, PostgreSQL and Redis.
- \`broken\` compares a healthy consumer alone with the same consumer next to a broken one; \`broken.many\` has many of both.
- \`handover\`, \`accept.with_ends\`, \`blocked\` and \`mostly.quiet\` are regimes in which an engine of sessions could stand still.
- \`workers\` compares four workers with one.
- \`postgres.…\` are the same figures with the queue in PostgreSQL instead of Redis.

Each figure was measured once unless its meaning says otherwise. A ratio is the value divided by its reference.

| figure | meaning | value | reference | ratio | target | |
|---|---|---:|---:|---:|---|---|
${figures.map(row).join('\n')}
`;
}

function row(figure: Figure): string {
  const { name, about, value, unit, reference, ratio, parts, target, isMet } = figure;
  const meaning = parts === null ? about : `${about}: ${partsInWords(figure)}`;
  const verdict = target === null ? '' : isMet === true ? 'met' : '**not met**';
  const compared = reference === null ? '' : count(reference);
  const cells = [
    `\`${name}\``,
    meaning,
    `${count(value)} ${unit}`.trim(),
    compared,
    ratio ?? '',
    target ?? '',
  ];
  return `| ${[...cells, verdict].join(' | ')} |`;
}

const count = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 });
