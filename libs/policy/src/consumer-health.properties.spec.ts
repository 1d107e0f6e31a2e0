import { describe, expect, it } from '@jest/globals';
import { HEALTH_STATES, OUTCOMES } from '#libs/contracts';
import fc from 'fast-check';
import { consumerHealth, needsAttention } from './consumer-health.js';
import type { HealthFacts } from './health-facts.js';

const NOW = new Date('2025-11-20T12:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const DAY = 86_400_000;

const moment = fc.integer({ min: 0, max: 40 * DAY }).map(ago);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const anyCause = fc.record({
  outcome: fc.constantFrom(...OUTCOMES.filter((outcome) => outcome !== 'acknowledged')),
  httpStatus: maybe(fc.integer({ min: 300, max: 599 })),
  count: fc.integer({ min: 1, max: 500 }),
  detail: fc.string(),
  clockSkewMs: fc.constant(null),
});
const anyFacts: fc.Arbitrary<HealthFacts> = fc
  .record({
    secretFault: maybe(fc.record({ words: fc.string(), since: moment })),
    paused: maybe(fc.record({ since: moment, reason: maybe(fc.string()), byAnswer: fc.boolean() })),
    opensAfterMs: maybe(fc.nat(DAY)),
    failures: fc.nat(400),
    failedProbes: fc.nat(9),
    firstFailureAt: moment,
    lastSuccessAt: maybe(moment),
    succeeded: fc.nat(500),
    failedAttempts: fc.nat(500),
    failedLately: fc.nat(100),
    diedLately: fc.nat(3),
    oldestFailedAt: maybe(moment),
    failingSince: maybe(moment),
    causes: fc.array(anyCause, { maxLength: 3 }),
    waiting: fc.nat(10_000),
    oldestDueAt: maybe(moment),
    inPerMinute: fc.nat(1_000),
    outPerMinute: fc.nat(1_000),
    recoveredAt: maybe(moment),
    dead: fc.nat(20).map((count) => ({ count, oldestAt: count === 0 ? null : ago(DAY) })),
    certificates: fc.array(
      fc.record({ use: fc.constantFrom('client', 'authority', 'server'), notAfter: moment }),
      { maxLength: 2 },
    ),
    isSendingStopped: fc.boolean(),
  })
  .map(({ opensAfterMs, succeeded, failures, firstFailureAt, failedLately, ...rest }) => ({
    ...rest,
    failures,
    firstFailureAt: failures === 0 ? null : firstFailureAt,
    // A circuit opens some time after the first failure.
    circuitOpenedAt:
      failures === 0 || opensAfterMs === null ? null : new Date(firstFailureAt.getTime() + opensAfterMs),
    attempts: succeeded + rest.failedAttempts,
    failedLately: Math.min(failedLately, rest.failedAttempts),
  }));

describe('consumerHealth', () => {
  const rankOf = (facts: HealthFacts): number => HEALTH_STATES.indexOf(consumerHealth(facts, NOW).state);

  it('the health of a consumer has one state and complete sentences for any facts', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { state, summary, advice } = consumerHealth(facts, NOW);
        expect(HEALTH_STATES.filter((each) => each === state)).toHaveLength(1);
        expect(summary).not.toMatch(/undefined|NaN|Infinity|null/);
        expect(advice).toMatch(/\.$/);
      }),
    );
  });

  it('the health of a consumer never improves when a fact gets worse', () => {
    const worse: ((facts: HealthFacts) => HealthFacts)[] = [
      (facts) => ({ ...facts, failures: facts.failures + 5, firstFailureAt: facts.firstFailureAt ?? NOW }),
      (facts) => ({ ...facts, circuitOpenedAt: facts.circuitOpenedAt ?? NOW }),
      (facts) => ({ ...facts, secretFault: facts.secretFault ?? { words: 'no key', since: NOW } }),
      (facts) => ({ ...facts, oldestDueAt: ago(50 * DAY), waiting: Math.max(1, facts.waiting) }),
      (facts) => ({ ...facts, oldestFailedAt: ago(50 * DAY) }),
      (facts) => ({ ...facts, diedLately: facts.diedLately + 1 }),
      (facts) => ({ ...facts, outPerMinute: 0, waiting: Math.max(1, facts.waiting) }),
      (facts) => ({
        ...facts,
        attempts: facts.attempts + 7,
        failedAttempts: facts.failedAttempts + 7,
        failedLately: facts.failedLately + 7,
      }),
      (facts) => ({ ...facts, dead: { count: facts.dead.count + 1, oldestAt: ago(DAY) } }),
    ];
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...worse), (facts, worsened) => {
        expect(rankOf(worsened(facts))).toBeLessThanOrEqual(rankOf(facts));
      }),
    );
  });

  it('the health of a consumer is down since the circuit opened or earlier', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { state, since } = consumerHealth(facts, NOW);
        fc.pre(state === 'down');
        expect(since?.getTime()).toBeLessThanOrEqual(facts.circuitOpenedAt?.getTime() ?? Number.NaN);
      }),
    );
  });

  it('a consumer is never degraded while no delivery is late or dead, at any share of failures', () => {
    const inTime = fc.option(fc.integer({ min: 0, max: 180_000 }).map(ago), { nil: null });
    fc.assert(
      fc.property(anyFacts, inTime, (facts, oldestFailedAt) => {
        const { state } = consumerHealth({ ...facts, diedLately: 0, oldestFailedAt }, NOW);
        expect(state).not.toBe('degraded');
      }),
    );
  });

  it('the health of a consumer mentions unsettled dead deliveries in every state', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const hasDead = facts.dead.count > 0;
        const found = consumerHealth(facts, NOW);
        expect(/dead deliver(y has|ies have) to be replayed or settled/.test(found.summary)).toBe(hasDead);
        expect(hasDead && !needsAttention(found)).toBe(false);
        expect(hasDead && found.advice === 'Nothing to do.').toBe(false);
      }),
    );
  });
});
