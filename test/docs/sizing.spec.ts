import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Environment } from '#libs/config';
import { sizingOf } from '#test/support/sizing';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const PAGE = read('docs/sizing.md');

/** The cells of the tables' rows of a page. */
const rowsOf = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

/** The number at the start of a cell such as `1,234.5 MiB`. */
const numberIn = (cell: string): number => Number.parseFloat(cell.replaceAll(',', ''));

/** A row's first cell that begins with a digit. @throws when the page has not exactly one row of that name */
function valueOf(page: string, name: string): number {
  const [row, another] = rowsOf(page).filter(([cell]) => cell === `\`${name}\``);
  const value = row?.find((cell) => /^\d/.test(cell));
  if (value === undefined || another !== undefined) throw new Error(`there is not one value of ${name}`);
  return numberIn(value);
}

const onPage = (name: string): number => valueOf(PAGE, name);

/** The number in a source such as ``[`sustained.one`](benchmarks.md)``, or with a part of it, `…, api`. */
function sourceValueOf(source: string): number {
  const [, name = '', page = '', part] = /^\[`(.+)`\]\((.+)\)(?:, (\w+))?$/.exec(source) ?? [];
  const text = read(join('docs', page));
  return part === undefined ? valueOf(text, name) : partOf(text, name, part);
}

/** A part in a figure's meaning, such as `api 0.653`. */
function partOf(page: string, name: string, part: string): number {
  const meaning = rowsOf(page).find(([cell]) => cell === `\`${name}\``)?.[1] ?? '';
  return Number(new RegExp(`\\b${part} ([\\d.]+)`).exec(meaning)?.[1]);
}

describe('docs/sizing.md', () => {
  test('each example of docs/sizing.md follows from its events a day and the values on the page', () => {
    const examples = rowsOf(PAGE).filter((row) => row.every((cell) => /^[\d,]+$/.test(cell)));
    expect(examples.map(([eventsADay]) => eventsADay)).toEqual(['100,000', '1,000,000', '10,000,000']);
    for (const [eventsADay = '', ...needs] of examples)
      expect(needs.map(numberIn)).toEqual(Object.values(sizingOf(numberIn(eventsADay), onPage)));
  });

  test('each measured figure of docs/sizing.md is the figure of its source', () => {
    const measured = rowsOf(PAGE).filter(([, , , source]) => source?.startsWith('['));
    expect(measured).not.toEqual([]);
    for (const [name, value = '', , source = ''] of measured)
      expect({ name, value: numberIn(value) }).toEqual({ name, value: sourceValueOf(source) });
  });

  test('docs/sizing.md has the pool sizes and defaults of the product', () => {
    const environment = new Environment();
    const module = read('libs/database/src/database.module.ts');
    const poolSizeOf = (limits: string): number =>
      Number(new RegExp(`const ${limits} = .*poolSize: (\\d+)`).exec(module)?.[1]);
    expect({
      general: onPage('general'),
      pipeline: onPage('pipeline'),
      lists: onPage('lists'),
      consumers: onPage('consumers'),
      slots: onPage('slots'),
      retention: onPage('retention'),
    }).toEqual({
      general: environment.DATABASE_POOL_SIZE,
      pipeline: poolSizeOf('PIPELINE_LIMITS'),
      lists: poolSizeOf('READING_LIMITS'),
      consumers: poolSizeOf('CONSUMERS_READING_LIMITS'),
      slots: environment.WORKER_CONCURRENCY,
      retention: environment.RETENTION_DAYS,
    });
  });
});
