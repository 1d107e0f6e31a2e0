import { describe, expect, test } from 'vitest';
import { explain, NOT_SEEN } from './duplicates.js';
import { arrival } from './observation-examples.js';
import type { FaultDone } from './observations.js';
import type { SessionOpening } from './session-openings.js';
import type { Duplicate } from './verdict.js';

const fault = (label: string, beganAtMs: number, endedAtMs: number, worker?: number): FaultDone => ({
  label,
  worker,
  beganAtMs,
  endedAtMs,
  inFlight: 1,
});

/** @param sender the worker that sent the acknowledged POST */
function duplicate(acknowledgedAtMs: number, againAtMs: number, sender: number | null = null): Duplicate {
  const again = arrival('n0', {
    beganSequence: 3,
    beganAtMs: againAtMs,
    acknowledgedSequence: 4,
    acknowledgedAtMs: againAtMs,
  });
  const acknowledged = { ...again, worker: sender, beganAtMs: acknowledgedAtMs - 5, acknowledgedAtMs };
  return { arrival: again, acknowledged, acknowledgedAtMs };
}

const opening = (worker: number, openedAtMs: number, consumer = 'acme'): SessionOpening => ({
  consumer_id: consumer,
  session: 2,
  worker,
  opened_ms: openedAtMs,
});

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
    expect(
      explain([duplicate(10_300, 12_000)], [fault('kill', 10_000, 12_000)], { attempts: [timeout] }),
    ).toEqual({
      [NOT_SEEN]: 1,
    });
  });

  test('never explains a duplicate by an attempt that the consumer refused', () => {
    const refused = { consumer: 'acme', notificationId: 'n0', startedAtMs: 10_290, outcome: 'http_status' };
    const faults = [fault('clock ahead of a worker', 10_000, 12_000)];
    expect(explain([duplicate(10_300, 12_000)], faults, { attempts: [refused] })).toEqual({
      'clock ahead of a worker': 1,
    });
  });

  test('explains a duplicate by a suspension that began long before the acknowledgement', () => {
    expect(explain([duplicate(15_000, 21_000)], [fault('SIGSTOP', 9_000, 22_000)])).toEqual({ SIGSTOP: 1 });
  });

  describe('a fault of one worker', () => {
    const kill = fault('SIGKILL worker', 10_000, 12_000, 0);
    const stop = fault('SIGSTOP worker', 10_100, 18_000, 1);

    test('explains only duplicates of the worker that had sent the acknowledged POST', () => {
      const two = [duplicate(10_300, 22_000, 0), duplicate(10_300, 22_000, 1)];
      expect(explain(two, [kill, stop])).toEqual({ 'SIGKILL worker': 1, 'SIGSTOP worker': 1 });
      expect(explain(two, [stop])).toEqual({ 'SIGSTOP worker': 1, unexplained: 1 });
    });

    test('explains the duplicate of another worker whose consumer this worker took over before the record', () => {
      const taken = { openings: [opening(1, 10_310)] };
      expect(explain([duplicate(10_300, 22_000, 0)], [stop], taken)).toEqual({ 'SIGSTOP worker': 1 });
    });

    test.each([
      ['another consumer', opening(1, 10_310, 'other')],
      ['the consumer long before the POST', opening(1, 9_000)],
      ['the consumer long after the record', opening(1, 12_000)],
      ['the consumer by a third worker', opening(2, 10_310)],
    ])('does not explain the duplicate of another worker by a session of %s', (_session, one) => {
      const explained = explain([duplicate(10_300, 22_000, 0)], [stop], { openings: [one] });
      expect(explained).toEqual({ unexplained: 1 });
    });

    test('explains any duplicate whose sender is unknown, as a fault of a server or a link does', () => {
      expect(explain([duplicate(10_300, 22_000)], [kill])).toEqual({ 'SIGKILL worker': 1 });
      const server = fault('Redis restart', 10_200, 12_000);
      expect(explain([duplicate(10_300, 22_000, 0)], [kill, server, stop])).toEqual({ 'Redis restart': 1 });
    });
  });
});
