import { describe, expect, test } from 'vitest';
import { ledgerFaults, type Ledger, type LedgerAttempt, type LedgerDelivery } from './ledger.js';
import type { Arrival, PromisedEvent } from './observations.js';
import type { SessionOpening } from './session-openings.js';

const PROMISED: PromisedEvent[] = [
  {
    notificationId: 'n0',
    payment: 'P',
    place: 0,
    consumers: ['acme'],
    sent: { eventType: 'wire.status', eventDateTime: '', data: {} },
    promisedAtMs: 0,
  },
];

const attempt = (number: number, given: Partial<LedgerAttempt> = {}): LedgerAttempt => ({
  delivery_id: 'd0',
  number,
  outcome: 'acknowledged',
  started_ms: number * 1_000,
  duration_ms: 100,
  recorded_ms: number * 1_000 + 105,
  ...given,
});

const failed = (number: number, given: Partial<LedgerAttempt> = {}): LedgerAttempt =>
  attempt(number, { outcome: 'http_status', ...given });

const arrival = (beganAtMs: number): Arrival => ({
  consumer: 'acme',
  notificationId: 'n0',
  beganStep: beganAtMs,
  beganAtMs,
  acknowledgedStep: null,
  acknowledgedAtMs: null,
  endedAtMs: null,
  bodyHash: '',
  signature: 'verified',
});

function faultsOf(
  attempts: readonly LedgerAttempt[],
  given: Partial<LedgerDelivery> = {},
  {
    arrivals = attempts.map((a) => arrival(a.started_ms + 3)),
    openings = [] as SessionOpening[],
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
  const ledger: Ledger = { deliveries, attempts, openings, pending, bodies: new Map() };
  return ledgerFaults(ledger, PROMISED, arrivals, []);
}

describe('the ledger of a run', () => {
  test('is good when attempts are numbered and acknowledged as they should be', () => {
    expect(faultsOf([failed(1), failed(2, { outcome: 'timeout' }), attempt(3)])).toEqual([]);
    expect(faultsOf([failed(1), failed(2)], { state: 'dead' })).toEqual([]);
  });

  test.each<[string, string[], RegExp]>([
    ['a gap in the numbers', faultsOf([failed(1), attempt(3)]), /attempts 1,3/],
    [
      'a count that is not that of the rows',
      faultsOf([attempt(1)], { attempts: 2 }),
      /1 .* recorded and 2 counted/,
    ],
    ['two acknowledged attempts', faultsOf([attempt(1), attempt(2)]), /attempt 1,2 of 2 acknowledged/],
    ['a delivered one without acknowledgement', faultsOf([failed(1)]), /delivered with attempt {2}of 1/],
    ['a dead one that was acknowledged', faultsOf([attempt(1)], { state: 'dead' }), /dead with attempt 1/],
    ['what is still pending', faultsOf([attempt(1)], {}, { pending: 3 }), /3 deliveries are still pending/],
    [
      'a row that was not promised',
      faultsOf([attempt(1)], { consumer_id: 'globex' }),
      /n0 globex .* not promised/,
    ],
    [
      'a promise without a row',
      faultsOf([attempt(1)], { consumer_id: 'globex' }),
      /n0 acme is promised and not/,
    ],
    [
      'an answer nobody gave',
      faultsOf([attempt(1)], {}, { arrivals: [arrival(900), arrival(1_200)] }),
      /attempt 1 was answered, and no POST began within it/,
    ],
  ])('shows %s', (_what, faults, expected) => {
    expect(faults.join('\n')).toMatch(expected);
  });

  describe('when another session of the consumer is opened', () => {
    const attempts = [
      failed(1, { outcome: 'timeout', duration_ms: 8_000, recorded_ms: 9_005 }),
      attempt(2, { started_ms: 10_000, recorded_ms: 10_105 }),
    ];
    const opening = (opened_ms: number, consumer_id = 'acme'): SessionOpening => ({
      consumer_id,
      session: 2,
      opened_ms,
    });
    const faultsWith = (...openings: SessionOpening[]): string[] => faultsOf(attempts, {}, { openings });

    test('shows an attempt that was begun before and recorded afterwards', () => {
      expect(faultsWith(opening(9_004)).join('\n')).toMatch(
        /^delivery d0: attempt 1 was recorded although session 2 had been opened 8004 ms after its start \(attempt 1 .*\)$/,
      );
    });

    test('finds nothing wrong with attempts that were recorded before, or begun afterwards', () => {
      expect(faultsWith(opening(900), opening(9_006), opening(9_999))).toEqual([]);
    });

    test('leaves the attempts at other consumers alone', () => {
      expect(faultsWith(opening(5_000, 'globex'))).toEqual([]);
    });
  });
});
