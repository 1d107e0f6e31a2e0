import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Environment } from '#libs/config';
import { limitsOf, sizingOf } from '#test/support/sizing';

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

/** The number in a source such as ``[`sustained.one`](benchmarks.md)``, or in a column of it, `…, api`. */
function sourceValueOf(source: string): number {
  const [, name = '', page = '', part] = /^\[`(.+)`\]\((.+)\)(?:, (\w+))?$/.exec(source) ?? [];
  const text = read(join('docs', page));
  return part === undefined ? valueOf(text, name) : inColumn(text, name, part);
}

/** The number of a row in the column with this title. */
function inColumn(page: string, name: string, title: string): number {
  const rows = rowsOf(page);
  const column = rows.map((row) => row.indexOf(title)).find((index) => index > 0) ?? -1;
  return numberIn(rows.find(([cell]) => cell === `\`${name}\``)?.[column] ?? '');
}

/** The rows with what installations need for a number of events a day. */
const EXAMPLES = rowsOf(PAGE).filter((row) => row.every((cell) => /^[\d,]+( \(est\.\))?$/.test(cell)));

describe('docs/sizing.md', () => {
  test('each example of docs/sizing.md follows from its events a day and the values on the page', () => {
    expect(EXAMPLES.map(([eventsADay]) => eventsADay)).toEqual([
      '100,000',
      '1,000,000',
      '10,000,000',
      '100,000,000',
    ]);
    for (const [eventsADay = '', ...needs] of EXAMPLES)
      expect(needs.map(numberIn)).toEqual(Object.values(sizingOf(numberIn(eventsADay), onPage)));
  });

  test('each limit of docs/sizing.md follows from the values on the page', () => {
    for (const [name, limit] of Object.entries(limitsOf(onPage)))
      expect({ name, limit: onPage(name) }).toEqual({ name, limit: Math.floor(limit) });
  });

  test('retention removes the idempotency keys of an installation of docs/sizing.md as fast as they come', () => {
    const averages = EXAMPLES.map(
      ([day = '', , installations = '']) => numberIn(day) / 86_400 / numberIn(installations),
    );
    expect(averages.length).toBeGreaterThan(0);
    expect(Math.max(...averages)).toBeLessThan(onPage('limit.retention'));
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
    const housekeeping = read('apps/worker/src/maintenance/housekeeping.ts');
    const constant = (name: string): number =>
      numberIn(new RegExp(`const ${name} = ([\\d_]+)`).exec(housekeeping)?.[1]?.replaceAll('_', '') ?? '');
    const registration = read('apps/api/src/resources/consumers/register-consumer.dto.ts');
    const poolSizeOf = (limits: string): number =>
      Number(new RegExp(`const ${limits} = .*poolSize: (\\d+)`).exec(module)?.[1]);
    expect({
      general: onPage('general'),
      pipeline: onPage('pipeline'),
      lists: onPage('lists'),
      consumers: onPage('consumers'),
      slots: onPage('slots'),
      retention: onPage('retention'),
      trimmed: onPage('trimmed'),
      trimming: onPage('trimming'),
      concurrency: onPage('concurrency'),
    }).toEqual({
      general: environment.DATABASE_POOL_SIZE,
      pipeline: poolSizeOf('PIPELINE_LIMITS'),
      lists: poolSizeOf('READING_LIMITS'),
      consumers: poolSizeOf('CONSUMERS_READING_LIMITS'),
      slots: environment.WORKER_CONCURRENCY,
      retention: environment.RETENTION_DAYS,
      trimmed: constant('PAGE') * constant('MOST_PAGES'),
      trimming: constant('RETENTION_MS') / 1_000,
      concurrency: Number(/default: (\d+) \} \}\)\s+maxConcurrency/.exec(registration)?.[1]),
    });
  });
});
