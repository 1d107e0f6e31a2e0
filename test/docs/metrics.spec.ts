import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownMetrics } from '#test/support/documented-metrics';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');

describe('docs/metrics.md', () => {
  test('lists every metric of ours, with its type, labels and meaning, and no other', async () => {
    const ours = (await knownMetrics()).filter(({ name }) => name.startsWith('dispatcher_'));
    const rows = ours.map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    );
    expect(PAGE.match(/^\| `dispatcher_.*$/gm)).toEqual(rows);
  });

  test('names only figures of Node’s that there are', async () => {
    const known = new Set((await knownMetrics()).map(({ name }) => name));
    const named = [...PAGE.matchAll(/`((?:nodejs|process)_\w+)`/g)].map(([, name]) => name ?? '');
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
