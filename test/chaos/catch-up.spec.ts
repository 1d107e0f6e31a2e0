import { describe, expect, test } from '@jest/globals';
import { catchUp } from './catch-up.js';
import type { Arrival, FaultDone, AcceptedEvent } from './observations.js';

const FAULTS: FaultDone[] = [
  { label: 'SIGKILL worker', beganAtMs: 1_000, endedAtMs: 60_000, inFlight: 0 },
  { label: 'Redis FLUSHALL', beganAtMs: 50_000, endedAtMs: 50_010, inFlight: 0 },
];

const acceptedEvent = (
  notificationId: string,
  acceptedAtMs: number,
  consumers = ['acme'],
): AcceptedEvent => ({
  notificationId,
  payment: 'P',
  position: 0,
  consumers,
  sent: { eventType: 'wire.status', eventDateTime: '', data: {} },
  acceptedAtMs,
});

const arrival = (notificationId: string, acknowledgedAtMs: number | null, consumer = 'acme'): Arrival => ({
  consumer,
  notificationId,
  beganSequence: 0,
  beganAtMs: 0,
  acknowledgedSequence: null,
  acknowledgedAtMs,
  endedAtMs: null,
  bodyHash: '',
  signature: 'verified',
});

const judged = (
  accepted: AcceptedEvent[],
  arrivals: Arrival[],
  faults = FAULTS,
): ReturnType<typeof catchUp> => catchUp({ accepted, arrivals, steady: new Set(['acme']), faults });

describe('the catch-up time of a healthy consumer', () => {
  test('measures the catch-up time from the end of the fault that ended last', () => {
    expect(judged([acceptedEvent('n0', 2_000)], [arrival('n0', 63_000)])).toEqual({
      longestMs: 3_000,
      late: [],
    });
  });

  test('includes the time until a restarted process is ready', () => {
    const kill = {
      label: 'SIGKILL worker',
      beganAtMs: 50_000,
      undoneAtMs: 52_000,
      endedAtMs: 60_000,
      inFlight: 0,
    };
    expect(judged([acceptedEvent('n0', 2_000)], [arrival('n0', 63_000)], [kill]).longestMs).toBe(11_000);
  });

  test('reports a delivery as late after more than 15 s', () => {
    const accepted = [acceptedEvent('n0', 2_000), acceptedEvent('n1', 2_000)];
    expect(judged(accepted, [arrival('n0', 75_000), arrival('n1', 75_001)])).toEqual({
      longestMs: 15_001,
      late: ['n1 acme arrived 15001 ms after the last fault'],
    });
  });

  test('measures from the 202 of an event that was accepted after the last fault', () => {
    const accepted = [acceptedEvent('n0', 70_000), acceptedEvent('n1', 70_000)];
    expect(judged(accepted, [arrival('n0', 85_000), arrival('n1', 85_001)]).late).toEqual([
      'n1 acme arrived 15001 ms after the last fault',
    ]);
  });

  test('measures to the first acknowledgement, and ignores failed and repeated POSTs', () => {
    const arrivals = [arrival('n0', null), arrival('n0', 62_000), arrival('n0', 90_000)];
    expect(judged([acceptedEvent('n0', 2_000)], arrivals)).toEqual({ longestMs: 2_000, late: [] });
  });

  test('counts no catch-up time for a delivery that arrived during the faults', () => {
    expect(judged([acceptedEvent('n0', 2_000)], [arrival('n0', 30_000)])).toEqual({ longestMs: 0, late: [] });
  });

  test('ignores lost deliveries and consumers that fail', () => {
    const accepted = [acceptedEvent('n0', 2_000), acceptedEvent('n1', 2_000, ['globex'])];
    expect(judged(accepted, [arrival('n1', 100_000, 'globex')])).toEqual({ longestMs: 0, late: [] });
  });

  test('measures from the 202 in a run without faults', () => {
    expect(judged([acceptedEvent('n0', 2_000)], [arrival('n0', 2_500)], [])).toEqual({
      longestMs: 500,
      late: [],
    });
  });
});
