import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readArguments } from '#test/chaos/arguments';
import { chaosScenario } from '#test/chaos/chaos-scenario';
import { PLANTED_SCENARIOS } from '#test/chaos/planted-scenarios';
import { isRegime, regimeScenario } from '#test/chaos/regime-scenarios';
import { figures, isGood, lastLine, table } from '#test/chaos/report';
import { run } from '#test/chaos/run';
import { planFaults, planOutage } from '#test/chaos/schedule';
import { canMountRamDisk } from '#test/support/ram-disk';

const PROJECT = join(import.meta.dirname, '../..');

const { seed, seconds, backend, rate, outage, json, logs, planted, scenario } = readArguments(
  process.argv.slice(2),
);
const startedAt = performance.now();
const logFile = logs === undefined ? undefined : createWriteStream(logs);
const log = (line: string): void => {
  const text = `${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`;
  process.stdout.write(text);
  logFile?.write(`${new Date().toISOString()} ${text}`);
};

const ownDisk = await canMountRamDisk();
const faults =
  outage === undefined ? planFaults({ seed, seconds, backend, ownDisk }) : planOutage(outage, seconds);
const schedule = scenario === undefined ? faults : [];
try {
  log(
    scenario === undefined
      ? `seed ${seed}, ${seconds} s, queue on ${backend}, ${schedule.length} faults planned`
      : `scenario ${scenario}${planted === undefined ? '' : ', with its fault planted'}`,
  );
  if (!ownDisk) log('no full disk: only root on Linux can mount a file system');
  const findings = await run({
    seed,
    backend,
    ownDisk,
    planted,
    scenario:
      scenario === undefined
        ? chaosScenario({ seed, seconds, plan: schedule, changesPerSecond: rate })
        : isRegime(scenario)
          ? regimeScenario(scenario, { seed, backend, seconds, rate })
          : PLANTED_SCENARIOS[scenario],
    log,
    onLine: (name, line) => logFile?.write(`${name} ${line}\n`),
  });
  if (json !== undefined) {
    const report = {
      seed,
      seconds,
      backend,
      outage,
      scenario,
      planted,
      commit: await commit(),
      ...figures(findings),
      schedule,
    };
    await writeFile(json, `${JSON.stringify(report, undefined, 2)}\n`);
  }
  process.stdout.write(`\n${table(findings)}\n\n${lastLine(findings)}\n`);
  process.exitCode = isGood(findings) ? 0 : 1;
} finally {
  logFile?.end();
}

/** The commit of the checkout; null without a git history. */
async function commit(): Promise<string | null> {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: PROJECT }).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() || null;
}
