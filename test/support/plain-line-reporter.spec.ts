import { expect, test } from '@jest/globals';
import { plainLine, type RunResults } from './plain-line-reporter.js';

const results = (change: Partial<RunResults>): RunResults => ({
  numPassedTests: 5,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ numFailingTests: 0, failureMessage: null }],
  ...change,
});

test('counts what passed and what failed', () => {
  const testResults = [{ numFailingTests: 2, failureMessage: 'two of them' }, { numFailingTests: 0 }];
  expect(plainLine(results({}))).toBe('5 passed, 0 failed');
  expect(plainLine(results({ testResults }))).toBe('5 passed, 2 failed');
});

test('counts a file that could not run as one failed', () => {
  const testResults = [{ numFailingTests: 0, testExecError: { message: 'Cannot find module' } }];
  expect(plainLine(results({ testResults }))).toBe('5 passed, 1 failed');
});

test('counts a file that failed outside its tests as one failed', () => {
  const testResults = [{ numFailingTests: 0, failureMessage: 'afterAll: a process was left behind' }];
  expect(plainLine(results({ testResults }))).toBe('5 passed, 1 failed');
});

test('tells of skipped tests only when there are any', () => {
  expect(plainLine(results({ numPendingTests: 1, numTodoTests: 2 }))).toBe('5 passed, 0 failed, 3 skipped');
});
