// Runs the unit tests next to the code with Jest and then the tests of test/ with Vitest. The last line is
// `N passed, N failed`. Paths select files; other arguments go to both runners. With --long it runs the tests that take
// minutes (test/**/*.long.spec.ts) and writes their results to docs/measurements/long-tests.md.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLongResults } from './long-results.mjs';
import { countTests, plainLine } from './test-counts.mjs';

const given = process.argv.slice(2);
const isLong = given.includes('--long');
const isPath = (argument) => /^(\.\/)?(apps|libs|packages|test)\b/.test(argument);
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

/** Runs one runner's tests. */
function run(name) {
  const runner = RUNNERS[name];
  const output = join(folder, `${name}.json`);
  const child = spawn(process.execPath, [...runner.command(output), ...runner.paths, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LONG_TESTS: String(isLong) },
  });
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const result = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
      const isUnknownFailure = status !== 0 && (result === undefined || countTests([result]).failed === 0);
      resolve({ result, isUnknownFailure });
    });
  });
}

const chosen = Object.keys(RUNNERS).filter((name) =>
  paths.length > 0 ? RUNNERS[name].paths.length > 0 : !isLong || name === 'vitest',
);
// One after the other: unit tests of time limits fail on processors that six test processes share.
const outcomes = [];
for (const name of chosen) outcomes.push(await run(name));
const results = outcomes.flatMap(({ result }) => result ?? []);
rmSync(folder, { recursive: true });

const counts = countTests(results);
counts.failed += outcomes.filter(({ isUnknownFailure }) => isUnknownFailure).length;
if (isLong) writeLongResults(results, counts);
process.stdout.write(`${plainLine(counts)}\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
