import { describe, expect, test } from '@jest/globals';
import { ledgerFaults, type Ledger, type LedgerAttempt, type LedgerDelivery } from './ledger.js';
import type { Arrival, FaultDone, PromisedEvent } from './observations.js';

const PROMISED: PromisedEvent[] = [
  {
    notificationId: 'n0',
    payment: 'P',
    place: 0,
    consumers: ['acme'],
    sent: { eventType: 'wire.status', eventDateTime: '', data: {} },
  },
];

const attempt = (number: number, given: Partial<LedgerAttempt> = {}): LedgerAttempt => ({
  delivery_id: 'd0',
  number,
  outcome: 'acknowledged',
  started_ms: number * 1_000,
  duration_ms: 100,
  lease: number,
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
  { arrivals = attempts.map((a) => arrival(a.started_ms + 3)), faults = [] as FaultDone[], open = 0 } = {},
): string[] {
  const deliveries = [
    {
      id: 'd0',
      event_id: 'n0',
      consumer_id: 'acme',
      state: 'delivered',
      attempts: attempts.length,
      lease: attempts.at(-1)?.lease ?? 0,
      ...given,
    },
  ];
  const ledger: Ledger = { deliveries, attempts, open, bodies: new Map() };
  return ledgerFaults(ledger, PROMISED, arrivals, faults);
}

describe('the ledger of a run', () => {
  test('is good when attempts are numbered, leased and acknowledged as they should be', () => {
    expect(faultsOf([failed(1), failed(2, { outcome: 'timeout' }), attempt(3)])).toEqual([]);
    expect(faultsOf([failed(1, { lease: null }), attempt(2, { lease: null })], { lease: 5 })).toEqual([]);
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
    ['leases that do not grow', faultsOf([failed(1, { lease: 2 }), attempt(2)]), /leases 2,2 do not grow/],
    [
      'a last lease that is another',
      faultsOf([attempt(1)], { lease: 2 }),
      /under lease 1 and finished under 2/,
    ],
    ['what is still open', faultsOf([attempt(1)], {}, { open: 3 }), /3 deliveries are still open/],
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
    ['an answer nobody gave', faultsOf([attempt(1)], {}, { arrivals: [] }), /1 answered attempts, 0 POSTs/],
  ])('shows %s', (_what, faults, expected) => {
    expect(faults.join('\n')).toMatch(expected);
  });

  describe('when another POST begins within a recorded attempt', () => {
    const attempts = [
      failed(1, { outcome: 'timeout', duration_ms: 15_000 }),
      attempt(2, { started_ms: 17_000 }),
    ];
    const arrivals = [arrival(1_003), arrival(12_000), arrival(17_003)];

    test('shows that it was recorded without its lease', () => {
      expect(faultsOf(attempts, {}, { arrivals }).join('\n')).toMatch(
        /^delivery d0: attempt 1 was recorded although another took over 11000 ms into it \(attempt 1 .*\)$/,
      );
    });

    test('does not take for a takeover what came before a lease can have run out', () => {
      const early = [arrival(1_003), arrival(6_000), arrival(17_003)];
      expect(faultsOf(attempts, {}, { arrivals: early })).toEqual([]);
    });

    test('lets a worker that was just let go on send what it had taken', () => {
      const stop = { label: 'SIGSTOP worker', beganAtMs: 500, endedAtMs: 11_900, inFlight: 1 };
      expect(faultsOf(attempts, {}, { arrivals, faults: [stop] })).toEqual([]);
    });
  });
});
