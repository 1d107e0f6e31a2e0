import { readFile, writeFile } from 'node:fs/promises';
import type { Beside, BesideRun } from '#test/bench/beside';

const HEADING = '## Beside WebhookX';

/** The section of the page that a run beside a peer has written; empty before the first one. */
export async function besideSectionOf(file: string): Promise<string> {
  const page = await readFile(file, 'utf8').catch(() => '');
  const from = page.indexOf(`\n${HEADING}`);
  return from < 0 ? '' : page.slice(from);
}

/** Writes the section and leaves the rest of the page as it is. */
export async function writeBesideSection(file: string, run: BesideRun): Promise<void> {
  const page = await readFile(file, 'utf8');
  const former = await besideSectionOf(file);
  await writeFile(file, page.slice(0, page.length - former.length) + besideSection(run, new Date()));
}

/** The section as Markdown. */
export function besideSection({ figures, rounds, versions }: BesideRun, at: Date): string {
  const worse = figures.filter((figure) => !isBetter(figure)).map(({ name }) => `\`${name}\``);
  return `
${HEADING}

Written by \`npm run bench -- --against webhookx --source …\` on ${at.toISOString().slice(0, 10)}. Both systems had the same loads in turns, with
the same bodies, connections, producers and consumer, and an empty database each time. Both ran on Debian's PostgreSQL with fsync and on
Redis, with the defaults of both. Both sign. WebhookX has its defaults, one source and one endpoint with its signing plugin; it keeps
no order and was given no key to recognise repetitions. Each figure is the median of ${String(rounds)} rounds. Processor time is that of all processes but
producers and consumer. The loads are those of the figures above: \`sustained.64\` has at most 2,000 undelivered events, and \`cold\` is a young database.

${Object.entries(versions)
  .map(([of, version]) => `- ${of}: ${version}`)
  .join('\n')}

WebhookX is better in ${worse.length === 0 ? 'none of these' : worse.join(', ')}.

| figure | this product | WebhookX | ratio | better |
|---|---:|---:|---:|---|
${figures.map(row).join('\n')}
`;
}

const isBetter = ({ unit, product, peer }: Beside): boolean =>
  unit === '1/s' ? product >= peer : product <= peer;

function row(figure: Beside): string {
  const { name, unit, product, peer, productParts, peerParts } = figure;
  const cells = [
    // Another name than in the table above.
    `beside \`${name}\``,
    valueOf(product, unit, productParts),
    valueOf(peer, unit, peerParts),
    (product / peer).toFixed(2),
    isBetter(figure) ? 'this product' : '**WebhookX**',
  ];
  return `| ${cells.join(' | ')} |`;
}

function valueOf(value: number, unit: string, parts: Readonly<Record<string, number>>): string {
  const details = Object.entries(parts).map(([part, ms]) => `${part} ${ms.toFixed(2)}`);
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  const text = `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
  return details.length === 0 ? text : `${text} (${details.join(', ')})`;
}
