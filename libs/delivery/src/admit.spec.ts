import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  admit,
  AILING_CONCURRENCY,
  AILING_FAILURES,
  paceToleranceMs,
  RATE_HORIZON_MS,
  type Admission,
  type Candidate,
  type Gate,
} from './admit.js';

const GATE: Gate = {
  removed: false,
  paused: false,
  secretFault: false,
  probeInMs: null,
  sending: 0,
  maxConcurrency: 64,
  failures: 0,
  maxPerSecond: null,
  nextSendInMs: -1_000,
  nextSlotInMs: -1_000,
};
const DUE: Candidate = {
  state: 'queued',
  holdReason: null,
  leaseInMs: null,
  dueInMs: 0,
  reserved: false,
  behind: false,
  usable: true,
};
const one = (gate: Partial<Gate>, candidate: Partial<Candidate> = {}): Admission | undefined =>
  admit({ ...GATE, ...gate }, [{ ...DUE, ...candidate }]).admissions[0];
const many = (gate: Partial<Gate>, count: number): readonly Admission[] =>
  admit(
    { ...GATE, ...gate },
    Array.from({ length: count }, () => DUE),
  ).admissions;

const LEASE = { kind: 'lease', probe: false };
const hold = (reason: string) => ({ kind: 'hold', reason });

describe('admit', () => {
  it('leases what is due at an open gate', () => {
    expect(one({})).toEqual(LEASE);
    expect(one({}, { dueInMs: 250 })).toEqual(LEASE);
  });

  it('takes over a lease that ran out, and no other', () => {
    expect(one({}, { state: 'sending', leaseInMs: 0 })).toEqual(LEASE);
    expect(one({}, { state: 'sending', leaseInMs: 1 })).toEqual({ kind: 'leased', waitMs: 1 });
  });

  it.each<[string, Partial<Gate>, Partial<Candidate>, Admission]>([
    ['removed', { removed: true, paused: true }, { behind: true }, { kind: 'finished' }],
    [
      'held by another',
      { paused: true },
      { state: 'held', holdReason: 'order' },
      { kind: 'held', reason: 'order' },
    ],
    ['not due', { paused: true }, { dueInMs: 251 }, { kind: 'not_due', waitMs: 251 }],
    ['unusable', { paused: true }, { usable: false, behind: true }, { kind: 'unusable' }],
    ['order', { paused: true, probeInMs: 5 }, { behind: true }, { kind: 'hold', reason: 'order' }],
    ['paused', { paused: true, secretFault: true, probeInMs: 5 }, {}, { kind: 'hold', reason: 'paused' }],
    ['secret', { secretFault: true, probeInMs: 5, sending: 64 }, {}, { kind: 'hold', reason: 'secret' }],
    ['circuit', { probeInMs: 5, sending: 64 }, {}, { kind: 'hold', reason: 'circuit' }],
    [
      'full',
      { sending: 64, maxPerSecond: 1, nextSendInMs: 900 },
      {},
      { kind: 'hold', reason: 'concurrency' },
    ],
    ['over its rate', { maxPerSecond: 1, nextSlotInMs: 2_001 }, {}, { kind: 'hold', reason: 'concurrency' }],
  ])('names the first reason: %s', (_, gate, candidate, expected) => {
    expect(one(gate, candidate)).toEqual(expected);
  });

  it('lets exactly one through an open circuit when a probe is due', () => {
    expect(many({ probeInMs: 0 }, 3)).toEqual([
      { kind: 'lease', probe: true },
      hold('circuit'),
      hold('circuit'),
    ]);
    expect(one({ probeInMs: 0, sending: 64 })).toEqual(hold('circuit'));
  });

  it('spaces what is over the rate evenly, up to the horizon, and holds the rest', () => {
    expect(many({ maxPerSecond: 2 }, 7)).toEqual([
      LEASE,
      ...[500, 1_000, 1_500, 2_000].map((inMs) => ({ kind: 'reserve', inMs })),
      hold('concurrency'),
      hold('concurrency'),
    ]);
  });

  it('asks for the interval again at a moment that was given, and gives another in its place', () => {
    const rate = { maxPerSecond: 2, nextSlotInMs: 1_500 };
    expect(one({ ...rate, nextSendInMs: 0 }, { reserved: true })).toEqual(LEASE);
    expect(one({ ...rate, nextSendInMs: 100 }, { reserved: true })).toEqual(LEASE);
    expect(one({ ...rate, nextSendInMs: 101 }, { reserved: true })).toEqual({ kind: 'reserve', inMs: 101 });
    expect(one({ ...rate, nextSendInMs: 0 })).toEqual({ kind: 'reserve', inMs: 1_500 });
  });

  it('gives a consumer that fails and fails a trickle, until it answers', () => {
    const leases = (gate: Partial<Gate>) => many(gate, 100).filter(({ kind }) => kind === 'lease').length;
    expect(leases({ failures: 9 })).toBe(64);
    expect(leases({ failures: 10 })).toBe(8);
    expect(leases({ failures: 10, maxConcurrency: 2 })).toBe(2);
  });
});

describe('admit, for any gate and any candidates', () => {
  const candidate = fc.record<Candidate>({
    state: fc.constantFrom('queued', 'sending', 'held'),
    holdReason: fc.constantFrom(null, 'order', 'paused'),
    leaseInMs: fc.option(fc.integer({ min: -100, max: 100 })),
    dueInMs: fc.integer({ min: -100, max: 400 }),
    reserved: fc.boolean(),
    behind: fc.boolean(),
    usable: fc.boolean(),
  });
  const gate = fc.record<Gate>({
    removed: fc.boolean(),
    paused: fc.boolean(),
    secretFault: fc.boolean(),
    probeInMs: fc.option(fc.integer({ min: -5, max: 5 })),
    sending: fc.nat(8),
    maxConcurrency: fc.integer({ min: 1, max: 8 }),
    maxPerSecond: fc.option(fc.integer({ min: 1, max: 1_000 })),
    failures: fc.nat(12),
    nextSendInMs: fc.integer({ min: -5_000, max: 5_000 }),
    nextSlotInMs: fc.integer({ min: -5_000, max: 5_000 }),
  });

  it('never leases beyond a limit, through a closed gate, out of turn, or twice', () => {
    fc.assert(
      fc.property(gate, fc.array(candidate, { maxLength: 20 }), (at, candidates) => {
        expect(violations(at, candidates)).toEqual([]);
      }),
    );
  });
});

/** What an admission has done that it must never do. */
function violations(at: Gate, candidates: readonly Candidate[]): string[] {
  const { admissions, leased, nextSendInMs } = admit(at, candidates);
  const taken = candidates.filter((_, index) => admissions[index]?.kind === 'lease');
  const isClosed = at.removed || at.paused || at.secretFault || (at.probeInMs ?? 0) > 0;
  const limit =
    at.failures < AILING_FAILURES ? at.maxConcurrency : Math.min(at.maxConcurrency, AILING_CONCURRENCY);
  const intervalMs = 1_000 / (at.maxPerSecond ?? Infinity);
  const toleranceMs = paceToleranceMs(intervalMs);
  const momentsOf = (again: boolean): number[] =>
    admissions.flatMap((admission, index) =>
      admission.kind === 'reserve' && candidates[index]?.reserved === again ? [admission.inMs] : [],
    );
  const moments = [momentsOf(true), momentsOf(false)];
  const facts: Record<string, boolean> = {
    'answers less or more than it was asked': admissions.length !== candidates.length,
    'counts its leases wrongly': leased !== taken.length,
    'leases through a closed gate': isClosed && taken.length > 0,
    'sends more than one probe': at.probeInMs !== null && taken.length > 1,
    'exceeds maxConcurrency': taken.length > Math.max(0, limit - at.sending),
    'leases out of turn': taken.some(({ behind }) => behind),
    'leases what cannot be sent': taken.some(({ usable }) => !usable),
    'leases what is held': taken.some(({ state }) => state === 'held'),
    'leases what another has': taken.some(
      ({ state, leaseInMs }) => state === 'sending' && (leaseInMs ?? 0) > 0,
    ),
    'reserves beyond the horizon': moments.flat().some((moment) => moment > RATE_HORIZON_MS),
    'leases more than the rate allows':
      at.maxPerSecond !== null &&
      taken.length >
        Math.max(0, Math.ceil((toleranceMs - Math.max(-toleranceMs, at.nextSendInMs) + 1e-6) / intervalMs)),
    'gives a moment twice': moments.some((given) =>
      given.some((moment, index) => index > 0 && moment - (given[index - 1] ?? 0) < intervalMs - 1e-6),
    ),
    'gives away what is given': momentsOf(false).some((moment) => moment < at.nextSlotInMs - 1e-6),
    'lets the next one go too early':
      at.maxPerSecond !== null && nextSendInMs < taken.length * intervalMs - toleranceMs - 1e-6,
  };
  return Object.keys(facts).filter((violation) => facts[violation]);
}
