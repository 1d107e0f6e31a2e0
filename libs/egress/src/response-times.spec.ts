import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { clockSkewMs, parseHttpDate, retryAfterMs } from './response-times.js';

const NOW = Date.UTC(2026, 10, 21, 8, 0, 0);
const HOUR_MS = 3_600_000;
const inMs = (ms: number) => new Date(NOW + ms).toUTCString();

describe('parseHttpDate', () => {
  it('reads an HTTP date in the format IMF-fixdate', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  it.each([
    '',
    '1',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Invalid Date',
    'Sun, 21 Nov 2026 08:00:00 GMT',
    '2026-11-21T08:00:00Z',
    'Sat, 21 Nov 2026 08:00:00',
    'Sat, 21 Nov 2026 08:00:00 CET',
    'Sat, 31 Feb 2026 08:00:00 GMT',
    'Sat, 00 Nov 2026 08:00:00 GMT',
    'Sat, 21 Foo 2026 08:00:00 GMT',
    'Sat, 21 Nov 2026 24:00:00 GMT',
    'Sat, 21 Nov 2026 08:60:00 GMT',
    ' Sat, 21 Nov 2026 08:00:00 GMT',
  ])('does not read %p as an HTTP date', (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });

  it('reads every HTTP date that JavaScript writes, and no random text', () => {
    const years = { min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(parseHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => parseHttpDate(text) === null));
  });
});

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['86400', 24 * HOUR_MS],
    ['86401', 24 * HOUR_MS],
    ['9'.repeat(400), 24 * HOUR_MS],
    [inMs(90_000), 90_000],
    [inMs(-90_000), 0],
    [inMs(1_000 * HOUR_MS), 24 * HOUR_MS],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('reads Retry-After %p as %p ms', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });

  it('reads every Retry-After as 0 to 24 h', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.nat().map(String),
          fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
        ),
        (header) => {
          const waitMs = retryAfterMs(header, NOW) ?? 0;
          expect(waitMs >= 0 && waitMs <= 24 * HOUR_MS).toBe(true);
        },
      ),
    );
  });
});

describe('clockSkewMs', () => {
  it.each([
    [inMs(0), null],
    [inMs(60_000), null],
    [inMs(-60_000), null],
    [inMs(61_000), 61_000],
    [inMs(-400_000), -400_000],
    ['yesterday', null],
    [undefined, null],
  ])('reads a clock skew from Date %p: %p ms', (header, expected) => {
    expect(clockSkewMs(header, NOW)).toBe(expected);
  });
});
