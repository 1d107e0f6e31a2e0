import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterMs, retryDelayMs } from './retry-delay.js';

const NOW = Date.parse('2025-11-20T09:30:00Z');

describe('retryDelayMs', () => {
  it('spreads over the whole time up to 200 ms, which doubles with each failure, up to 10 s', () => {
    const longest = [1, 2, 3, 6, 7, 50].map((failures) => retryDelayMs(failures, () => 1));
    expect(longest).toEqual([200, 400, 800, 6_400, 10_000, 10_000]);
    expect(retryDelayMs(50, () => 0)).toBe(0);
  });
});

describe('retryAfterMs', () => {
  it.each([
    ['seconds', '2', 2_000],
    ['no seconds', '0', 0],
    ['a date', 'Thu, 20 Nov 2025 09:30:05 GMT', 5_000],
    ['a date of the obsolete form', 'Thursday, 20-Nov-25 09:30:05 GMT', 5_000],
    ['a past date', 'Thu, 20 Nov 2025 09:29:00 GMT', 0],
    ['a fraction', '1.5', 0],
    ['a negative number', '-1', 0],
    ['a word', 'Soon', 0],
    ['nothing', null, 0],
  ])('reads %s', (_what, value, ms) => {
    expect(retryAfterMs(value, NOW)).toBe(ms);
  });

  it('is never negative and never NaN', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(retryAfterMs(value, NOW)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
