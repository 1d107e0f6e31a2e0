import { expect, test } from 'vitest';
import { countTests, plainLine, type RunResult } from '../../scripts/test-counts.mjs';

const run = (passed: number, files: RunResult['testResults'] = [], skipped = 0): RunResult => ({
  numPassedTests: passed,
  numPendingTests: skipped,
  numTodoTests: 0,
  testResults: files,
});
const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((result) => ({ status: result })),
});

test('the last line of a test run adds the passed tests of all runners', () => {
  expect(plainLine(countTests([run(3), run(4)]))).toBe('7 passed, 0 failed');
});

test('the last line of a test run includes the number of skipped tests', () => {
  expect(plainLine(countTests([run(3, [], 2), run(1)]))).toBe('4 passed, 0 failed, 2 skipped');
});

test('a test run counts each failed test once', () => {
  const files = [file('failed', 'failed', 'passed', 'failed'), file('passed', 'passed')];
  expect(countTests([run(2, files)])).toEqual({ passed: 2, failed: 2, skipped: 0 });
});

test('a test file that could not be loaded, or whose hook failed, counts as one failed test', () => {
  const files = [file('failed'), file('failed', 'passed')];
  expect(countTests([run(1, files)]).failed).toBe(2);
});
