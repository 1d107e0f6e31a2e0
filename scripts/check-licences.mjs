/** Compares the licences in a bill of materials (standard input) with those that are allowed: `npm run check:licences`. */
import { readFileSync } from 'node:fs';

/** SPDX identifiers. All permit use and redistribution in a product, with their notice or without conditions. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
]);

/** One alternative of an SPDX expression must consist of allowed licences only. */
const isAllowed = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((id) => ALLOWED.has(id)));

const { components } = JSON.parse(readFileSync(0, 'utf8'));
const counts = new Map();
for (const { name, version, licenses = [] } of components) {
  const licence = licenses.map((one) => one.expression ?? one.license.id ?? one.license.name).join(' AND ');
  counts.set(licence, (counts.get(licence) ?? 0) + 1);
  if (isAllowed(licence)) continue;
  print(
    `${name}@${version} has the licence ${licence || '(none)'}, which scripts/check-licences.mjs does not allow. ` +
      'Use another package, or have the licence approved and add it there.',
  );
  process.exitCode = 1;
}
const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
print(
  `Licences of ${components.length} packages: ${sorted.map(([id, count]) => `${count} ${id}`).join(', ')}.`,
);

function print(line) {
  process.stdout.write(`${line}\n`);
}
