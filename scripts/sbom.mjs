/**
 * Prints the bill of materials (CycloneDX): `npm run sbom`. It has what the processes load and what is built into the
 * console's pages and the client package, which npm counts as development.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

const NPM = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const bom = JSON.parse(execFileSync('npm', NPM, { encoding: 'utf8', maxBuffer: 2 ** 26 }));
const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
const dependenciesOf = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));

const sources = globSync('{apps/console,packages/client}/src/**/*.{ts,tsx}', { exclude: ['**/*.spec.ts'] });
const imported = new Set(
  sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(@[^/']+\/[^/']+|[^@./'#][^/']*)/g)].map(
      ([, module]) => module,
    ),
  ),
);
const hasProperty = (component, property) =>
  component.properties.some((one) => one.name === `cdx:npm:package:${property}`);
const shipped = new Set();
function ship(ref) {
  if (shipped.has(ref)) return;
  shipped.add(ref);
  dependenciesOf.get(ref)?.forEach(ship);
}
for (const component of bom.components) {
  const isLoaded = !hasProperty(component, 'development') && !hasProperty(component, 'extraneous');
  if (isLoaded || imported.has(component.name)) ship(component['bom-ref']);
}

const root = bom.metadata.component;
// npm takes it from the folder.
root.name = name;
bom.components = bom.components.filter((one) => shipped.has(one['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => shipped.has(ref) || ref === root['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) }));
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
