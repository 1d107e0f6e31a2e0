import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/** A row of figures under their names. */
export type Row = Readonly<Record<string, string | number>>;

/** Writes a line at once; a measurement takes minutes and says what it is at. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints rows as a table: the first row's names are the head, numbers stand to the right. */
export function printTable(title: string, rows: readonly Row[]): void {
  say(`\n${title}`);
  const [first] = rows;
  if (first === undefined) return say('(nothing)');
  const names = Object.keys(first);
  const cells = rows.map((row) => names.map((name) => row[name] ?? ''));
  const widths = names.map((name, column) =>
    Math.max(name.length, ...cells.map((row) => String(row[column]).length)),
  );
  const line = (row: readonly (string | number)[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  say(line(names));
  say(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of cells) say(line(row));
}

/** The command line: `--json FILE`, and whole numbers by which a measurement is made smaller or larger. */
export function readArguments<N extends string>(
  defaults: Readonly<Record<N, number>>,
): { readonly json: string | undefined; readonly numbers: Record<N, number> } {
  const names = Object.keys(defaults);
  const { values } = parseArgs({
    options: Object.fromEntries(['json', ...names].map((name) => [name, { type: 'string' as const }])),
  });
  const numbers = { ...defaults };
  for (const name of names) {
    const given = values[name];
    if (given === undefined) continue;
    if (!/^\d+$/.test(given)) throw new Error(`--${name} must be a whole number`);
    Object.assign(numbers, { [name]: Number(given) });
  }
  return { json: values['json'], numbers };
}

/** Writes the result where `--json` says, if it says. */
export async function writeJson(file: string | undefined, result: object): Promise<void> {
  if (file === undefined) return;
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
  say(`written to ${file}`);
}

/** The value below which a share of the values lies, by the nearest rank. NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
