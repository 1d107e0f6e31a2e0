import { describe, expect, test } from 'vitest';
import { historyFaults, type History, type AttemptRow, type DeliveryRow } from './history.js';
import { acceptedEvent, arrival } from './observation-examples.js';
import type { Hold, SessionOpening } from './session-openings.js';

const ACCEPTED = [acceptedEvent('n0')];

const attempt = (number: number, given: Partial<AttemptRow> = {}): AttemptRow => ({
  delivery_id: 'd0',
  number,
  outcome: 'acknowledged',
  started_ms: number * 1_000,
  duration_ms: 100,
  recorded_ms: number * 1_000 + 105,
  ...given,
});

const failed = (number: number, given: Partial<AttemptRow> = {}): AttemptRow =>
  attempt(number, { outcome: 'http_status', ...given });

function faultsOf(
  attempts: readonly AttemptRow[],
  given: Partial<DeliveryRow> = {},
  {
    arrivals = attempts.map((a) => arrival('n0', { beganAtMs: a.started_ms + 3 })),
    openings = [] as SessionOpening[],
    holds = [] as Hold[],
    pending = 0,
  } = {},
): string[] {
  const deliveries = [
    {
      id: 'd0',
      event_id: 'n0',
      consumer_id: 'acme',
      state: 'delivered',
      attempts: attempts.length,
      ...given,
    },
  ];
  const history: History = { deliveries, attempts, openings, holds, pending, bodies: new Map() };
  return historyFaults(history, ACCEPTED, arrivals, []);
}

describe('recorded history of a run', () => {
  test('accepts a history with consecutive attempts of which the last one is acknowledged', () => {
    expect(faultsOf([failed(1), failed(2, { outcome: 'timeout' }), attempt(3)])).toEqual([]);
    expect(faultsOf([failed(1), failed(2)], { state: 'dead' })).toEqual([]);
  });

  test.each<[string, string[], RegExp]>([
    ['a gap in the numbers', faultsOf([failed(1), attempt(3)]), /attempts 1,3/],
    [
      'an attempt count that differs from the rows',
      faultsOf([attempt(1)], { attempts: 2 }),
      /1 .* recorded and 2 counted/,
    ],
    ['two acknowledged attempts', faultsOf([attempt(1), attempt(2)]), /attempt 1,2 of 2 acknowledged/],
    [
      'a delivered delivery without an acknowledged attempt',
      faultsOf([failed(1)]),
      /delivered with attempt {2}of 1/,
    ],
    [
      'a dead delivery with an acknowledged attempt',
      faultsOf([attempt(1)], { state: 'dead' }),
      /dead with attempt 1/,
    ],
    ['pending deliveries', faultsOf([attempt(1)], {}, { pending: 3 }), /3 deliveries are still pending/],
    [
      'a row that was not accepted',
      faultsOf([attempt(1)], { consumer_id: 'globex' }),
      /n0 globex .* not accepted/,
    ],
    [
      'an expected delivery without a row',
      faultsOf([attempt(1)], { consumer_id: 'globex' }),
      /n0 acme is accepted and not/,
    ],
    [
      'an answered attempt without a POST',
      faultsOf([attempt(1)], {}, { arrivals: [900, 1_200].map((beganAtMs) => arrival('n0', { beganAtMs })) }),
      /attempt 1 was answered, but no POST arrived during it/,
    ],
  ])('the history check reports %s', (_what, faults, expected) => {
    expect(faults.join('\n')).toMatch(expected);
  });

  describe('another session of the consumer', () => {
    const attempts = [
      failed(1, { outcome: 'timeout', duration_ms: 8_000, recorded_ms: 9_005 }),
      attempt(2, { started_ms: 10_000, recorded_ms: 10_105 }),
    ];
    const opening = (opened_ms: number, consumer_id = 'acme'): SessionOpening => ({
      consumer_id,
      session: 2,
      worker: null,
      opened_ms,
    });
    const faultsWith = (...openings: SessionOpening[]): string[] => faultsOf(attempts, {}, { openings });

    test('reports an attempt that began before another session was opened and was recorded afterwards', () => {
      expect(faultsWith(opening(9_004)).join('\n')).toMatch(
        /^delivery d0: attempt 1 was recorded although session 2 had been opened 8004 ms after its start \(attempt 1 .*\)$/,
      );
    });

    test('accepts an attempt that its session held when it was left, and not one that was held before it began', () => {
      const held = (held_ms: number) => ({
        openings: [opening(5_000)],
        holds: [{ delivery_id: 'd0', held_ms }],
      });
      expect(faultsOf(attempts, {}, held(4_000))).toEqual([]);
      expect(faultsOf(attempts, {}, held(500))).toHaveLength(1);
    });

    test('accepts attempts that were recorded before another session was opened, or began afterwards', () => {
      expect(faultsWith(opening(900), opening(9_006), opening(9_999))).toEqual([]);
    });

    test('accepts an attempt during which a session of another consumer was opened', () => {
      expect(faultsWith(opening(5_000, 'globex'))).toEqual([]);
    });
  });
});
