import { describe, expect, test } from 'vitest';
import { explain, NOT_SEEN } from './duplicates.js';
import { arrival } from './observation-examples.js';
import type { FaultDone } from './observations.js';
import type { Duplicate } from './verdict.js';

const fault = (label: string, beganAtMs: number, endedAtMs: number): FaultDone => ({
  label,
  beganAtMs,
  endedAtMs,
  inFlight: 1,
});

function duplicate(acknowledgedAtMs: number, againAtMs: number): Duplicate {
  const again = arrival('n0', {
    beganSequence: 3,
    beganAtMs: againAtMs,
    acknowledgedSequence: 4,
    acknowledgedAtMs: againAtMs,
  });
  const acknowledged = { ...again, beganAtMs: acknowledgedAtMs - 5, acknowledgedAtMs };
  return { arrival: again, acknowledged, acknowledgedAtMs };
}

describe('cause of a duplicate', () => {
  test('explains a duplicate by the latest fault that was active when the acknowledgement should have been recorded', () => {
    const faults = [
      fault('kill', 10_000, 12_000),
      fault('cut', 10_500, 10_600),
      fault('later', 15_000, 16_000),
    ];
    expect(explain([duplicate(10_300, 22_000), duplicate(9_500, 21_000)], faults)).toEqual({ cut: 2 });
  });

  test('leaves a duplicate unexplained when every fault ended long before it or began after it', () => {
    expect(explain([duplicate(50_000, 51_000)], [fault('kill', 10_000, 12_000)])).toEqual({ unexplained: 1 });
    expect(explain([duplicate(5_000, 6_000)], [fault('kill', 10_000, 12_000)])).toEqual({ unexplained: 1 });
  });

  test('never explains a duplicate by a fault of an api, which sends nothing', () => {
    const faults = [fault('SIGKILL worker', 10_000, 12_000), fault('SIGKILL api', 10_100, 12_000)];
    expect(explain([duplicate(10_300, 22_000)], faults)).toEqual({ 'SIGKILL worker': 1 });
  });

  test('explains a duplicate by an attempt that was recorded as failed rather than by a fault', () => {
    const timeout = { consumer: 'acme', notificationId: 'n0', startedAtMs: 10_290, outcome: 'timeout' };
    expect(explain([duplicate(10_300, 12_000)], [fault('kill', 10_000, 12_000)], [timeout])).toEqual({
      [NOT_SEEN]: 1,
    });
  });

  test('explains a duplicate by a suspension that began long before the acknowledgement', () => {
    expect(explain([duplicate(15_000, 21_000)], [fault('SIGSTOP', 9_000, 22_000)])).toEqual({ SIGSTOP: 1 });
  });
});
