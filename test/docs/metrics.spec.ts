import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownMetrics } from '#test/support/documented-metrics';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');

test('docs/metrics.md lists every metric of the dispatcher with its type, labels and meaning, and no other', async () => {
  const own = (await knownMetrics()).filter(({ name }) => name.startsWith('dispatcher_'));
  const rows = own.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  expect(PAGE.match(/^\| `dispatcher_.*$/gm)).toEqual(rows);
});

test('docs/metrics.md names only existing metrics of Node.js', async () => {
  const known = new Set((await knownMetrics()).map(({ name }) => name));
  const named = [...PAGE.matchAll(/`((?:nodejs|process)_\w+)`/g)].map(([, name]) => name ?? '');
  expect(named).not.toEqual([]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
