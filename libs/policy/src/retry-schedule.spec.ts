import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checkRetrySchedule, MAX_RETRIES } from './check-retry-schedule.js';
import { DEFAULT_RETRY_SCHEDULE_MS, MAX_RETRY_AFTER_MS, nextDelayMs } from './retry-schedule.js';

const HOUR_MS = 3_600_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const schedules = fc.array(fc.integer({ min: 1, max: 604_800_000 }), { minLength: 1, maxLength: 50 });

describe('DEFAULT_RETRY_SCHEDULE_MS', () => {
  it('the default retry schedule is valid as a consumer’s own schedule', () => {
    const seconds = DEFAULT_RETRY_SCHEDULE_MS.map((delayMs) => delayMs / 1_000);
    expect(checkRetrySchedule(seconds)).toEqual({ ok: true, scheduleMs: DEFAULT_RETRY_SCHEDULE_MS });
  });

  it('the default retry schedule makes 13 attempts and waits 5 s, 30 s, 2 min … 24 h without jitter', () => {
    const waitsS = Array.from({ length: 13 }, (_, index) => {
      const waitMs = nextDelayMs({
        schedule: DEFAULT_RETRY_SCHEDULE_MS,
        attemptsMade: index + 1,
        random: 0.5,
        retryAfterMs: null,
      });
      return waitMs === null ? null : waitMs / 1_000;
    });
    expect(waitsS).toEqual([
      5,
      30,
      120,
      600,
      1_800,
      3_600,
      7_200,
      14_400,
      28_800,
      43_200,
      72_000,
      86_400,
      null,
    ]);
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
  it('accepts 1 to 50 delays of a whole second to seven days each and 14 days in total, and reports every other one', () => {
    const delay = fc.oneof(
      fc.integer({ min: -1, max: 700_000 }),
      fc.constantFrom(0, 1, 604_800, 604_801, 1.5, Number.NaN, Number.POSITIVE_INFINITY),
    );
    const lists = fc.oneof(
      fc.array(delay, { maxLength: 5 }),
      fc.array(fc.constant(1), { minLength: 49, maxLength: 52 }),
    );
    fc.assert(
      fc.property(lists, (seconds) => {
        const isValid = (one: number): boolean => Number.isInteger(one) && one >= 1 && one <= 604_800;
        const wrong = seconds.flatMap((one, index) => (isValid(one) ? [] : [`retrySchedule[${index}]`]));
        const total = seconds.reduce((sum, one) => sum + one, 0);
        const isWrong = seconds.length < 1 || seconds.length > MAX_RETRIES || total > 1_209_600;
        const check = checkRetrySchedule(seconds);
        const faults = wrong.length > 0 ? wrong : isWrong ? ['retrySchedule'] : [];
        expect(check.ok ? [] : check.faults.map(({ field }) => field)).toEqual(
          seconds.length > MAX_RETRIES || seconds.length < 1 ? ['retrySchedule'] : faults,
        );
        expect(check.ok ? check.scheduleMs : []).toEqual(check.ok ? seconds.map((one) => one * 1_000) : []);
      }),
      { numRuns: 1_000 },
    );
    expect(checkRetrySchedule([604_800, 604_800]).ok).toBe(true);
  });
});
