// Runs the tests: the unit tests next to the code on Jest, then those of test/ on Vitest, and ends with one line,
// `N passed, N failed`. Paths select files; other arguments go to both runners. With --long it runs the tests that take
// minutes (test/**/*.long.spec.ts) and keeps their results in docs/measurements/long-tests.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLongResults } from './long-results.mjs';
import { countTests, plainLine } from './test-counts.mjs';

const given = process.argv.slice(2);
const isLong = given.includes('--long');
const isPath = (argument) => /^(\.\/)?(apps|libs|test)\b/.test(argument);
const paths = given.filter(isPath);
const options = given.filter((argument) => argument !== '--long' && !isPath(argument));
const folder = mkdtempSync(join(tmpdir(), 'dispatcher-tests-'));

const RUNNERS = {
  jest: {
    paths: isLong ? [] : paths.filter((path) => !/^(\.\/)?test\b/.test(path)),
    command: (output) => [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--json',
      `--outputFile=${output}`,
    ],
  },
  vitest: {
    paths: paths.filter((path) => /^(\.\/)?test\b/.test(path)),
    command: (output) => [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=test/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${output}`,
    ],
  },
};

const results = [];
let isUnknownFailure = false;
for (const [name, runner] of Object.entries(RUNNERS)) {
  if (paths.length > 0 ? runner.paths.length === 0 : isLong && name === 'jest') continue;
  const output = join(folder, `${name}.json`);
  const { status } = spawnSync(process.execPath, [...runner.command(output), ...runner.paths, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LONG_TESTS: String(isLong) },
  });
  const result = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
  if (result !== undefined) results.push(result);
  if (status !== 0 && (result === undefined || countTests([result]).failed === 0)) isUnknownFailure = true;
}
rmSync(folder, { recursive: true });

const counts = countTests(results);
if (isUnknownFailure) counts.failed += 1;
if (isLong) writeLongResults(results, counts);
process.stdout.write(`${plainLine(counts)}\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
