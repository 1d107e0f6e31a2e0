import { writeFile } from 'node:fs/promises';
import type { Figure } from '#test/bench/figures';

interface SizesRun {
  readonly commit: string;
  readonly startedAt: Date;
  readonly events: number;
  readonly figures: readonly Figure[];
}

/** Writes a run's figures as a Markdown page; test/docs/sizing.spec.ts reads them. */
export async function writeSizesPage(file: string, run: SizesRun): Promise<void> {
  const { commit, startedAt, events, figures } = run;
  await writeFile(
    file,
    `# Sizes

Written by \`npm run bench:sizes\`; manual changes are lost. [Sizing](../sizing.md) uses the figures.

Measured at ${commit} on ${startedAt.toISOString().slice(0, 10)}, with an api, a worker, PostgreSQL 18 and Redis, and ${events.toLocaleString('en')}
complete ACH and wire events with four statuses a payment. Bytes on disk are rows, indexes and TOAST of a table together.

| figure | value | of |
|---|---:|---|
${figures.map(({ name, value, unit, about }) => `| \`${name}\` | ${value.toLocaleString('en')} ${unit} | ${about} |`).join('\n')}
`,
  );
}
