import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OUTCOMES } from '#libs/contracts';
import { asksForPause, decide, type Decision } from './decide.js';
import { DEFAULT_RETRY_SCHEDULE_MS, nextDelayMs } from './retry-schedule.js';

const facts = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  httpStatus: fc.constantFrom(null, 200, 404, 410, 503),
  probe: fc.boolean(),
  attempt: fc.integer({ min: 1, max: 14 }),
  schedule: fc.constant(DEFAULT_RETRY_SCHEDULE_MS),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  retryAfterMs: fc.option(fc.nat(100_000_000)),
});

it('only an acknowledgement delivers; 410 holds for a pause, a failed probe for the circuit; the 13th attempt is the last', () => {
  const expected = (given: Parameters<typeof decide>[0]): Decision => {
    if (given.outcome === 'acknowledged') return { kind: 'delivered' };
    const { httpStatus, probe, attempt: attemptsMade } = given;
    if (httpStatus === 410) return { kind: 'hold', reason: 'paused', spendsAttempt: !probe };
    if (probe) return { kind: 'hold', reason: 'circuit', spendsAttempt: false };
    if (attemptsMade > 12) return { kind: 'dead' };
    return { kind: 'retry', delayMs: nextDelayMs({ ...given, attemptsMade }) ?? Number.NaN };
  };
  fc.assert(
    fc.property(facts, (given) => {
      expect(decide(given)).toEqual(expected(given));
    }),
    { numRuns: 2_000 },
  );
});

it('only status 410 asks for a pause', () => {
  const statuses = [null, ...Array.from({ length: 600 }, (_, status) => status)];
  expect(statuses.filter(asksForPause)).toEqual([410]);
});
