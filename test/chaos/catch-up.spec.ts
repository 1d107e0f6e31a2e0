import { describe, expect, test } from 'vitest';
import { catchUp } from './catch-up.js';
import { acceptedEvent, arrival } from './observation-examples.js';
import type { AcceptedEvent, Arrival, FaultDone } from './observations.js';

const FAULTS: FaultDone[] = [
  { label: 'SIGKILL worker', worker: 0, beganAtMs: 1_000, endedAtMs: 60_000, inFlight: 0 },
  { label: 'Redis FLUSHALL', worker: undefined, beganAtMs: 50_000, endedAtMs: 50_010, inFlight: 0 },
];

const accepted = (notificationId: string, acceptedAtMs: number, consumers = ['acme']): AcceptedEvent =>
  acceptedEvent(notificationId, { acceptedAtMs, consumers });
const acknowledged = (notificationId: string, acknowledgedAtMs: number | null, consumer = 'acme'): Arrival =>
  arrival(notificationId, { acknowledgedAtMs, consumer });

const judged = (events: AcceptedEvent[], arrivals: Arrival[], faults = FAULTS): ReturnType<typeof catchUp> =>
  catchUp({ accepted: events, arrivals, steady: new Set(['acme']), faults });

describe('catch-up time of a healthy consumer', () => {
  test('measures the catch-up time from the end of the fault that ended last', () => {
    expect(judged([accepted('n0', 2_000)], [acknowledged('n0', 63_000)])).toEqual({
      longestMs: 3_000,
      late: [],
    });
  });

  test('counts the time until a restarted process is ready as catch-up time', () => {
    const kill = {
      label: 'SIGKILL worker',
      worker: 0,
      beganAtMs: 50_000,
      undoneAtMs: 52_000,
      endedAtMs: 60_000,
      inFlight: 0,
    };
    expect(judged([accepted('n0', 2_000)], [acknowledged('n0', 63_000)], [kill]).longestMs).toBe(11_000);
  });

  test('reports a delivery as late that arrives more than 15 s after the last fault', () => {
    const events = [accepted('n0', 2_000), accepted('n1', 2_000)];
    expect(judged(events, [acknowledged('n0', 75_000), acknowledged('n1', 75_001)])).toEqual({
      longestMs: 15_001,
      late: ['n1 acme arrived 15001 ms after the last fault'],
    });
  });

  test('measures the catch-up time from the 202 of an event that was accepted after the last fault', () => {
    const events = [accepted('n0', 70_000), accepted('n1', 70_000)];
    expect(judged(events, [acknowledged('n0', 85_000), acknowledged('n1', 85_001)]).late).toEqual([
      'n1 acme arrived 15001 ms after the last fault',
    ]);
  });

  test('measures the catch-up time to the first acknowledgement, and ignores failed and repeated POSTs', () => {
    const arrivals = [acknowledged('n0', null), acknowledged('n0', 62_000), acknowledged('n0', 90_000)];
    expect(judged([accepted('n0', 2_000)], arrivals)).toEqual({ longestMs: 2_000, late: [] });
  });

  test('counts no catch-up time for a delivery that arrived during the faults', () => {
    expect(judged([accepted('n0', 2_000)], [acknowledged('n0', 30_000)])).toEqual({ longestMs: 0, late: [] });
  });

  test('measures no catch-up time of lost deliveries and failing consumers', () => {
    const events = [accepted('n0', 2_000), accepted('n1', 2_000, ['globex'])];
    expect(judged(events, [acknowledged('n1', 100_000, 'globex')])).toEqual({ longestMs: 0, late: [] });
  });

  test('measures the catch-up time from the 202 in a run without faults', () => {
    expect(judged([accepted('n0', 2_000)], [acknowledged('n0', 2_500)], [])).toEqual({
      longestMs: 500,
      late: [],
    });
  });
});
