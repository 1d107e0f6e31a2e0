import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8');
const SPECS = globSync('{apps,libs,packages}/*/src/**/*.spec.ts', { cwd: ROOT }).concat(
  globSync('test/**/*.spec.ts', { cwd: ROOT }),
);

/** The rows of a section's table: what it is about, and the last cell, which names the tests. */
const rowsOf = (section: string): { subject: string; shownBy: string[] }[] =>
  (PAGE.split('\n## ').find((text) => text.startsWith(`${section}\n`)) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => ({
      subject: line,
      shownBy: [...(line.split(' | ').at(-1) ?? '').matchAll(/`(.+?)`/g)].map(([, name = '']) => name),
    }));

/** Whether a test has this path, or ends with it; a test's name may leave out `.spec` and `.long`. */
const exists = (name: string): boolean => {
  const path = name.replace(/\.spec$/, '');
  return SPECS.some((file) => `/${file.replace(/(\.long)?\.spec\.ts$/, '')}`.endsWith(`/${path}`));
};

test.each([
  ['Boundaries', 15],
  ['Threats', 50],
])(
  'docs/threat-model.md names at least one test in each row of its table of %s, and only existing ones',
  (section, atLeast) => {
    const rows = rowsOf(section);
    expect(rows.length).toBeGreaterThanOrEqual(atLeast);
    expect(rows.filter(({ shownBy }) => !shownBy.some(exists)).map(({ subject }) => subject)).toEqual([]);
    expect(rows.flatMap(({ shownBy }) => shownBy).filter((name) => !exists(name))).toEqual([]);
  },
);
