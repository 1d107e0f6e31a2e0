import { describe, expect, it } from '@jest/globals';
import { dayOf, fieldOf, fullMoment, instantOf, shortMoment, UTC, zoneLabel } from './moment-in-words';

const NEW_YORK = 'America/New_York';
const AT = new Date('2026-11-22T04:48:25.000Z');

describe('moment in words', () => {
  it('shows a moment of today by its time, of another day with the date, of another year with the year', () => {
    expect(shortMoment(AT, UTC, '2026-11-22')).toBe('04:48:25');
    expect(shortMoment(AT, UTC, '2026-11-23')).toBe('22 Nov 04:48:25');
    expect(shortMoment(AT, UTC, '2027-01-01')).toBe('22 Nov 2026 04:48:25');
  });

  it('shows a moment on the day of the chosen zone', () => {
    expect(dayOf(AT, NEW_YORK)).toBe('2026-11-21');
    expect(shortMoment(AT, NEW_YORK, '2026-11-21')).toBe('23:48:25');
    expect(fullMoment(AT, NEW_YORK)).toBe('21 Nov 2026, 23:48:25 New York');
    expect([zoneLabel(NEW_YORK), zoneLabel(UTC)]).toEqual(['New York', 'UTC']);
  });

  it('shows midnight as 00:00, not as 24:00', () => {
    expect(shortMoment(new Date('2026-11-22T00:00:00Z'), UTC, '2026-11-22')).toBe('00:00:00');
  });
});

describe('datetime field', () => {
  it.each([
    ['2026-11-22T04:48:00Z', UTC, '2026-11-22T04:48'],
    ['2026-11-22T04:48:25Z', UTC, '2026-11-22T04:48:25'],
    ['2026-11-22T04:48:25.120Z', UTC, '2026-11-22T04:48:25.120'],
    ['2026-11-22T04:48:00Z', NEW_YORK, '2026-11-21T23:48'],
    ['2026-07-01T12:00:00Z', NEW_YORK, '2026-07-01T08:00'],
    ['2026-07-01T12:00:00Z', 'Asia/Kolkata', '2026-07-01T17:30'],
    // The hours around the clock change on 1 November 2026 at 06:00 UTC.
    ['2026-11-01T04:59:00Z', NEW_YORK, '2026-11-01T00:59'],
    ['2026-11-01T07:01:00Z', NEW_YORK, '2026-11-01T02:01'],
  ])('converts %s in %s to the field value %s and back', (instant, zone, field) => {
    expect(fieldOf(instant, zone)).toBe(field);
    expect(instantOf(field, zone)).toBe(instant);
  });

  it('converts a datetime field of any year, since typing a year produces intermediate ones', () => {
    for (const zone of [UTC, NEW_YORK])
      for (const year of ['0002', '0020', '0202', '2026', '9999'])
        expect(fieldOf(instantOf(`${year}-11-22T04:48`, zone), zone)).toBe(`${year}-11-22T04:48`);
    expect(instantOf('20260-11-22T04:48', UTC)).toBe('');
  });

  it('converts an invalid moment to an empty field, and an empty field to no moment', () => {
    expect(['', 'bogus'].map((text) => fieldOf(text, UTC))).toEqual(['', '']);
    expect(instantOf('', UTC)).toBe('');
  });
});
