import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checkRetrySchedule, MAX_RETRIES } from './check-retry-schedule.js';
import { DEFAULT_RETRY_SCHEDULE_MS, MAX_RETRY_AFTER_MS, nextDelayMs } from './retry-schedule.js';

const HOUR_MS = 3_600_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const schedules = fc.array(fc.integer({ min: 1, max: 604_800_000 }), { minLength: 1, maxLength: 50 });

describe('DEFAULT_RETRY_SCHEDULE_MS', () => {
  it('the default retry schedule makes 13 attempts over about 72 hours', () => {
    expect(DEFAULT_RETRY_SCHEDULE_MS).toHaveLength(12);
    const totalMs = DEFAULT_RETRY_SCHEDULE_MS.reduce((sum, delayMs) => sum + delayMs, 0);
    expect(totalMs / HOUR_MS).toBeCloseTo(71.7, 1);
  });

  it('the default retry schedule is valid as a consumer’s own schedule', () => {
    const seconds = DEFAULT_RETRY_SCHEDULE_MS.map((delayMs) => delayMs / 1_000);
    expect(checkRetrySchedule(seconds)).toEqual({ ok: true, scheduleMs: DEFAULT_RETRY_SCHEDULE_MS });
  });

  it('the default retry schedule waits 5 s, 30 s, 2 min … 24 h without jitter', () => {
    const waitsS = Array.from({ length: 12 }, (_, index) => {
      const waitMs = nextDelayMs({
        schedule: DEFAULT_RETRY_SCHEDULE_MS,
        attemptsMade: index + 1,
        random: 0.5,
        retryAfterMs: null,
      });
      return (waitMs ?? Number.NaN) / 1_000;
    });
    expect(waitsS).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 72_000, 86_400]);
  });
});

describe('nextDelayMs', () => {
  it('delays a retry by whole milliseconds within 20 % of the schedule', () => {
    fc.assert(
      fc.property(schedules, random, fc.nat(), (schedule, draw, pick) => {
        const index = pick % schedule.length;
        const delayMs = nextDelayMs({ schedule, attemptsMade: index + 1, random: draw, retryAfterMs: null });
        const scheduledMs = schedule[index] ?? Number.NaN;
        expect(delayMs).toBeGreaterThanOrEqual(Math.round(scheduledMs * 0.8) - 1);
        expect(delayMs).toBeLessThanOrEqual(Math.round(scheduledMs * 1.2) + 1);
        expect(Number.isInteger(delayMs)).toBe(true);
      }),
    );
  });

  it('Retry-After lengthens the delay of a retry up to 24 h and never shortens it', () => {
    fc.assert(
      fc.property(
        schedules,
        random,
        fc.nat({ max: 10 * MAX_RETRY_AFTER_MS }),
        (schedule, draw, retryAfterMs) => {
          const scheduled =
            nextDelayMs({ schedule, attemptsMade: 1, random: draw, retryAfterMs: null }) ?? Number.NaN;
          const requested = nextDelayMs({ schedule, attemptsMade: 1, random: draw, retryAfterMs });
          expect(requested).toBe(Math.max(scheduled, Math.min(retryAfterMs, 24 * HOUR_MS)));
        },
      ),
    );
  });

  it('returns no delay when the retry schedule is used up, also with Retry-After', () => {
    for (const attemptsMade of [3, 4, 100]) {
      expect(nextDelayMs({ schedule: [1, 2], attemptsMade, random: 0, retryAfterMs: 5 })).toBeNull();
    }
  });

  it.each([0, -1, 1.5, Number.NaN])('throws RangeError for %p attempts made', (attemptsMade) => {
    expect(() => nextDelayMs({ schedule: [1], attemptsMade, random: 0, retryAfterMs: null })).toThrow(
      RangeError,
    );
  });
});

describe('checkRetrySchedule', () => {
  it('converts the seconds of a retry schedule to milliseconds', () => {
    expect(checkRetrySchedule([1, 60])).toEqual({ ok: true, scheduleMs: [1_000, 60_000] });
  });

  it('reports every invalid delay of a retry schedule', () => {
    const check = checkRetrySchedule([0, 5, 1.5, 604_801, -1, Number.NaN, Number.POSITIVE_INFINITY]);
    expect(check.ok ? [] : check.faults.map((fault) => fault.field)).toEqual(
      [0, 2, 3, 4, 5, 6].map((index) => `retrySchedule[${index}]`),
    );
  });

  it.each([
    ['no delay', []],
    ['too many delays', Array.from({ length: MAX_RETRIES + 1 }, () => 1)],
    ['more than 14 days in total', [604_800, 604_800, 1]],
  ])('refuses a retry schedule with %s', (_, seconds) => {
    expect(checkRetrySchedule(seconds)).toMatchObject({ ok: false, faults: [{ field: 'retrySchedule' }] });
  });

  it('accepts a retry schedule of 50 delays, and of exactly 14 days', () => {
    expect(checkRetrySchedule(Array.from({ length: MAX_RETRIES }, () => 1)).ok).toBe(true);
    expect(checkRetrySchedule([604_800, 604_800]).ok).toBe(true);
  });
});
