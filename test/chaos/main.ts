import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { PLANTED } from '#test/chaos/planted-faults';
import { run, type Findings } from '#test/chaos/run';
import { SCENARIO_NAMES, SCENARIO_OF, SCENARIOS } from '#test/chaos/scenarios';
import { planFaults } from '#test/chaos/schedule';
import { canMountRamDisk } from '#test/support/ram-disk';

/**
 * Runs one scenario, and ends with status 1 if a promise was broken: `--scenario NAME` (`everything` by default), with
 * `--seed 7`, `--backend redis` or `postgres`, and for `everything` and `steady` also `--seconds` and `--rate` (status changes
 * a second). `--plant NAME` plants that fault and runs its scenario. `--json FILE` gets the figures, `--logs FILE` all logs.
 */
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    scenario: text,
    plant: text,
    seed: { ...text, default: '7' },
    backend: { ...text, default: 'redis' },
    seconds: text,
    rate: text,
    json: text,
    logs: text,
  },
});

function oneOf<T extends string>(
  names: readonly T[],
  option: string,
  given: string | undefined,
): T | undefined {
  const found = names.find((name) => name === given);
  if (given !== undefined && found === undefined) throw new Error(`${option} is one of ${names.join(', ')}`);
  return found;
}

function integer(option: string, given: string, least: number): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < least) throw new Error(`${option} is an integer from ${least}`);
  return value;
}

const planted = oneOf(PLANTED, '--plant', values.plant);
const ofPlanted = planted === undefined ? 'everything' : SCENARIO_OF[planted];
const scenario = oneOf(SCENARIO_NAMES, '--scenario', values.scenario) ?? ofPlanted;
const backend = oneOf(['redis', 'postgres'], '--backend', values.backend) ?? 'redis';
if (backend === 'postgres' && ['worker-without-redis', 'emptied-queue'].includes(scenario))
  throw new Error('with the queue on PostgreSQL there is no Redis');
const usual = scenario === 'steady' ? { seconds: '600', rate: '200' } : { seconds: '120', rate: '60' };
const options = {
  seed: integer('--seed', values.seed, 0),
  backend,
  seconds: integer('--seconds', values.seconds ?? usual.seconds, 5),
  rate: integer('--rate', values.rate ?? usual.rate, 1),
  ownDisk: await canMountRamDisk(),
};

const startedAt = performance.now();
const logFile = values.logs === undefined ? undefined : createWriteStream(values.logs);
const log = (line: string): void => {
  const timed = `${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`;
  process.stdout.write(timed);
  logFile?.write(`${new Date().toISOString()} ${timed}`);
};

/** The figures for the JSON file and the output. Of each violation there are at most ten samples. */
function figures({ verdict, faults, ...findings }: Findings) {
  const { violations, ...measured } = verdict;
  const found = Object.entries(violations);
  return {
    ...options,
    scenario,
    planted,
    ...findings,
    ...measured,
    faults: Object.fromEntries(
      [...Map.groupBy(faults, ({ label }) => label)].map(([label, done]) => [label, done.length]),
    ),
    effects: faults.flatMap(({ label, effect }) => (effect === undefined ? [] : [`${label}: ${effect}`])),
    schedule: scenario === 'everything' ? planFaults(options) : [],
    violations: Object.fromEntries(found.map(([name, all]) => [name, all.length])),
    samples: Object.fromEntries(found.map(([name, all]) => [name, all.slice(0, 10)])),
  };
}

/** The last line of the output. */
function lastLine({ verdict: { violations, duplicates, expectedDeliveries } }: Findings): string {
  const { lost, outOfOrder, foreign, badSignatures, differentBytes } = violations;
  return (
    `chaos: ${lost.length} lost, ${outOfOrder.length} out of order, ${foreign.length} foreign, ` +
    `${badSignatures.length} bad signatures, ${differentBytes.length} different bytes, ` +
    `${duplicates.total} duplicates of ${expectedDeliveries}`
  );
}

try {
  log(`scenario ${scenario}, seed ${options.seed}, queue on ${backend}, planted: ${planted ?? 'nothing'}`);
  if (!options.ownDisk) log('no full disk: only root on Linux can mount a file system');
  const findings = await run({
    ...options,
    planted,
    scenario: SCENARIOS[scenario](options),
    log,
    onLine: (name, line) => logFile?.write(`${name} ${line}\n`),
  });
  const report = figures(findings);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  const { schedule: _schedule, ...shown } = report;
  for (const [name, value] of Object.entries(shown))
    process.stdout.write(`  ${name.padEnd(20)} ${JSON.stringify(value)}\n`);
  process.stdout.write(`\n${lastLine(findings)}\n`);
  const isGood = Object.values(findings.verdict.violations).every((found) => found.length === 0);
  process.exitCode = isGood ? 0 : 1;
} finally {
  logFile?.end();
}
