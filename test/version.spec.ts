import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
const { version }: { version: string } = JSON.parse(read('package.json'));

/** Each place with the version of the product, and how it is written there. */
const PLACES: Readonly<Record<string, RegExp>> = {
  'package-lock.json': /^  "version": "(.+)",$/m,
  'packages/client/package.json': /^  "version": "(.+)",$/m,
  'libs/contracts/src/version.ts': /VERSION = '(.+)'/,
  'deploy/helm/Chart.yaml': /^appVersion: (.+)$/m,
  'deploy/kubernetes/kustomization.yaml': /newTag: (.+)$/m,
  'CHANGELOG.md': /^## \[(.+)\] - \d{4}-\d\d-\d\d$/m,
  'packages/client/CHANGELOG.md': /^## (.+)$/m,
};

test('every place with the version of the product has the version of package.json', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  const found = Object.entries(PLACES).map(([file, place]) => [file, place.exec(read(file))?.[1]]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.keys(PLACES).map((file) => [file, version])),
  );
  expect(read('deploy/helm/Chart.yaml')).toContain(`\nversion: ${version}\n`);
});

test('the releases in CHANGELOG.md are in descending order, and each names its tag', () => {
  const releases = read('CHANGELOG.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ text, name: /^\[(.+?)\]/.exec(text)?.[1] ?? '' }));
  const names = releases.map(({ name }) => name);
  expect(names).toContain('0.1.0');
  const order = new Intl.Collator('en', { numeric: true });
  expect(names).toEqual(names.toSorted((a, b) => order.compare(b, a)));
  expect(releases.filter(({ text, name }) => !text.includes(`Tag \`v${name}\``))).toEqual([]);
});
