import { expect, test } from 'vitest';
import type { FaultDone } from './observations.js';
import { isOfWrongClock, wrongClocks } from './wrong-clocks.js';

const fault = (label: string, worker?: number): FaultDone => ({
  label,
  worker,
  beganAtMs: 10_000,
  endedAtMs: 20_000,
  inFlight: 0,
});

test.each([
  ['of the worker during its jump', { worker: 1, beganAtMs: 15_000, signature: 'timestamp_ahead' }, true],
  ['of an unknown worker', { worker: null, beganAtMs: 15_000, signature: 'timestamp_too_old' }, true],
  ['of another worker', { worker: 0, beganAtMs: 15_000, signature: 'timestamp_ahead' }, false],
  ['before its jump', { worker: 1, beganAtMs: 9_999, signature: 'timestamp_ahead' }, false],
  ['a second after its jump', { worker: 1, beganAtMs: 21_001, signature: 'timestamp_ahead' }, false],
  ['with a wrong signature', { worker: 1, beganAtMs: 15_000, signature: 'signature_wrong' }, false],
])('a refused POST %s is explained by a jump of worker 1’s clock: %#', (_, arrival, isExplained) => {
  const clocks = wrongClocks([fault('clock ahead of a worker', 1)]);
  expect(isOfWrongClock(arrival, clocks)).toBe(isExplained);
});

test('only jumps of workers’ clocks explain refused signatures', () => {
  expect(wrongClocks([fault('clock ahead of an api'), fault('SIGKILL worker', 1)])).toEqual([]);
});
