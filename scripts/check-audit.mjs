/**
 * Checks the packages of a bill of materials (standard input) against the registry's list of vulnerabilities:
 * `npm run check:audit`. High and critical ones fail. If the registry does not answer, the check only reports that,
 * because it has to work without a network; with REQUIRE_AUDIT=true, for the release pipeline, it fails.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const NO_RETRIES = ['--fetch-retries=0', '--fetch-timeout=20000'];

const { stdout } = spawnSync('npm', ['audit', '--json', ...NO_RETRIES], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const report = read(stdout);
const shipped = new Set(JSON.parse(readFileSync(0, 'utf8')).components.map(({ name }) => name));

if (report?.vulnerabilities === undefined) {
  const isRequired = process.env.REQUIRE_AUDIT === 'true';
  print(`Vulnerabilities were NOT checked: ${report?.message ?? 'no registry answered'}.`);
  process.exitCode = isRequired ? 1 : 0;
} else {
  const found = Object.values(report.vulnerabilities).filter(({ name }) => shipped.has(name));
  for (const { name, severity, via } of found) {
    const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`));
    print(`${severity}: ${name}: ${titles.join('; ')}`);
  }
  const serious = found.filter(({ severity }) => ['high', 'critical'].includes(severity)).length;
  print(`Known vulnerabilities: ${found.length}, of them high or critical: ${serious}.`);
  process.exitCode = serious > 0 ? 1 : 0;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
