/**
 * Known faults of what production depends on, by the registry's own list: `npm run check:audit`. High and critical ones
 * fail. A registry that does not answer fails nothing, since the check also has to work without a network, but it is
 * said plainly; with REQUIRE_AUDIT=true it fails too, which is for the pipeline that releases.
 */
import { spawnSync } from 'node:child_process';

const QUICKLY = ['--fetch-retries=0', '--fetch-timeout=20000'];

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', ...QUICKLY], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const report = read(stdout);
const counts = report?.metadata?.vulnerabilities;

if (counts === undefined) {
  const isRequired = process.env.REQUIRE_AUDIT === 'true';
  tell(`Known faults were NOT looked up: ${report?.message ?? 'no registry answered'}.`);
  process.exitCode = isRequired ? 1 : 0;
} else {
  for (const { name, severity, via } of Object.values(report.vulnerabilities)) {
    const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`));
    tell(`${severity}: ${name}: ${titles.join('; ')}`);
  }
  const serious = counts.high + counts.critical;
  tell(`Known faults: ${counts.total}, of them high or critical: ${serious}.`);
  process.exitCode = serious > 0 ? 1 : 0;
}

function tell(line) {
  process.stdout.write(`${line}\n`);
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
