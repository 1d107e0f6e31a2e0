import { describe, expect, test } from 'vitest';
import { catchUp } from './catch-up.js';
import type { Arrival, FaultDone, PromisedEvent } from './observations.js';

const FAULTS: FaultDone[] = [
  { label: 'SIGKILL worker', beganAtMs: 1_000, endedAtMs: 60_000, inFlight: 0 },
  { label: 'Redis FLUSHALL', beganAtMs: 50_000, endedAtMs: 50_010, inFlight: 0 },
];

const promise = (notificationId: string, promisedAtMs: number, consumers = ['acme']): PromisedEvent => ({
  notificationId,
  payment: 'P',
  place: 0,
  consumers,
  sent: { eventType: 'wire.status', eventDateTime: '', data: {} },
  promisedAtMs,
});

const arrival = (notificationId: string, acknowledgedAtMs: number | null, consumer = 'acme'): Arrival => ({
  consumer,
  notificationId,
  beganStep: 0,
  beganAtMs: 0,
  acknowledgedStep: null,
  acknowledgedAtMs,
  endedAtMs: null,
  bodyHash: '',
  signature: 'verified',
});

const judged = (
  promised: PromisedEvent[],
  arrivals: Arrival[],
  faults = FAULTS,
): ReturnType<typeof catchUp> => catchUp({ promised, arrivals, steady: new Set(['acme']), faults });

describe('the time in which a healthy consumer catches up', () => {
  test('begins when the last fault is over, whichever began last', () => {
    expect(judged([promise('n0', 2_000)], [arrival('n0', 63_000)])).toEqual({ longestMs: 3_000, late: [] });
  });

  test('includes what a process takes to be ready after it was started again', () => {
    const kill = {
      label: 'SIGKILL worker',
      beganAtMs: 50_000,
      undoneAtMs: 52_000,
      endedAtMs: 60_000,
      inFlight: 0,
    };
    expect(judged([promise('n0', 2_000)], [arrival('n0', 63_000)], [kill]).longestMs).toBe(11_000);
  });

  test('is up after 15 s, and not before', () => {
    const promised = [promise('n0', 2_000), promise('n1', 2_000)];
    expect(judged(promised, [arrival('n0', 75_000), arrival('n1', 75_001)])).toEqual({
      longestMs: 15_001,
      late: ['n1 acme came 15001 ms after the last fault'],
    });
  });

  test('begins with the 202 for what was accepted after the last fault', () => {
    const promised = [promise('n0', 70_000), promise('n1', 70_000)];
    expect(judged(promised, [arrival('n0', 85_000), arrival('n1', 85_001)]).late).toEqual([
      'n1 acme came 15001 ms after the last fault',
    ]);
  });

  test('ends with the first acknowledgement: neither a failed POST nor a repeated one counts', () => {
    const arrivals = [arrival('n0', null), arrival('n0', 62_000), arrival('n0', 90_000)];
    expect(judged([promise('n0', 2_000)], arrivals)).toEqual({ longestMs: 2_000, late: [] });
  });

  test('is nothing for what came while there were faults', () => {
    expect(judged([promise('n0', 2_000)], [arrival('n0', 30_000)])).toEqual({ longestMs: 0, late: [] });
  });

  test('leaves to others what never came, and consumers that fail', () => {
    const promised = [promise('n0', 2_000), promise('n1', 2_000, ['globex'])];
    expect(judged(promised, [arrival('n1', 100_000, 'globex')])).toEqual({ longestMs: 0, late: [] });
  });

  test('is measured from the 202 in a run without faults', () => {
    expect(judged([promise('n0', 2_000)], [arrival('n0', 2_500)], [])).toEqual({ longestMs: 500, late: [] });
  });
});
