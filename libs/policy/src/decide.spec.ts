import { describe, expect, it } from '@jest/globals';
import { OUTCOMES } from '#libs/contracts';
import { asksForPause, decide } from './decide.js';
import { DEFAULT_RETRY_SCHEDULE_MS } from './retry-schedule.js';

const facts = {
  schedule: DEFAULT_RETRY_SCHEDULE_MS,
  random: 0.5,
  retryAfterMs: null,
  httpStatus: null,
  probe: false,
};
const failures = OUTCOMES.filter((outcome) => outcome !== 'acknowledged');

describe('decide', () => {
  it.each([1, 13, 14])('decides delivered for an acknowledgement of attempt %i', (attempt) => {
    expect(decide({ ...facts, outcome: 'acknowledged', attempt })).toEqual({ kind: 'delivered' });
  });

  it.each(failures)('decides a retry after a first attempt with the outcome %s', (outcome) => {
    expect(decide({ ...facts, outcome, attempt: 1 })).toEqual({
      kind: 'retry',
      delayMs: 5_000,
    });
  });

  it.each(failures)('decides dead after the 13th attempt with the outcome %s', (outcome) => {
    expect(decide({ ...facts, outcome, attempt: 12 }).kind).toBe('retry');
    expect(decide({ ...facts, outcome, attempt: 13 })).toEqual({ kind: 'dead' });
  });

  it('delays a retry as long as Retry-After requests', () => {
    const decision = decide({ ...facts, outcome: 'http_status', attempt: 1, retryAfterMs: 90_000 });
    expect(decision).toEqual({ kind: 'retry', delayMs: 90_000 });
  });
});

describe('asksForPause', () => {
  it('only status 410 asks for a pause', () => {
    const statuses = Array.from({ length: 600 }, (_, status) => status);
    expect(statuses.filter(asksForPause)).toEqual([410]);
    expect(asksForPause(null)).toBe(false);
  });
});

describe('decide: holds', () => {
  const failed = { ...facts, outcome: 'http_status', attempt: 1 } as const;

  it.each([1, 12, 13, 14])('holds a delivery for a pause after a 410 at attempt %i', (attempt) => {
    expect(decide({ ...failed, attempt, httpStatus: 410 })).toEqual({
      kind: 'hold',
      reason: 'paused',
      spendsAttempt: true,
    });
  });

  it.each(failures)(
    'holds a failed probe (%s) without counting an attempt, even at the end of the schedule',
    (outcome) => {
      expect(decide({ ...failed, outcome, attempt: 13, probe: true })).toEqual({
        kind: 'hold',
        reason: 'circuit',
        spendsAttempt: false,
      });
    },
  );

  it('decides delivered for an acknowledged probe', () => {
    expect(decide({ ...failed, outcome: 'acknowledged', probe: true })).toEqual({ kind: 'delivered' });
  });

  it('holds the delivery of a probe for a pause after a 410, without counting an attempt', () => {
    const decision = decide({ ...failed, httpStatus: 410, probe: true });
    expect(decision).toEqual({ kind: 'hold', reason: 'paused', spendsAttempt: false });
  });
});
