import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INSTANT_PATTERN, instantOf, parseInstant } from './instant.js';

describe('parseInstant', () => {
  it.each([
    ['2025-11-20T09:30:00Z', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20t09:30:00z', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20T09:30Z', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20T09:30z', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20T09:30+01', '2025-11-20T08:30:00.000Z'],
    ['2025-11-20T09:30:00+01', '2025-11-20T08:30:00.000Z'],
    ['2025-11-20T09:30:00-0530', '2025-11-20T15:00:00.000Z'],
    ['2025-11-20T09:30:00+05:30', '2025-11-20T04:00:00.000Z'],
    ['2025-11-20T09:30:00-10', '2025-11-20T19:30:00.000Z'],
    ['2025-11-20T09:30:00-00:00', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20T09:30:00+23:59', '2025-11-19T09:31:00.000Z'],
    ['2025-11-20T09:30:00.5Z', '2025-11-20T09:30:00.500Z'],
    ['2025-11-20T09:30:00.123456789+0000', '2025-11-20T09:30:00.123Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads the instant %s as %s', (text, utc) => {
    expect(parseInstant(text)?.toISOString()).toBe(utc);
    expect(instantOf(text).toISOString()).toBe(utc);
    expect(new RegExp(INSTANT_PATTERN).test(text)).toBe(true);
  });

  it.each([
    '2025-11-20T09:30:00',
    '2025-11-20T09:30',
    '2025-11-20',
    '2025-11-20T09Z',
    '2025-11-20T09:30.5Z',
    '2025-11-20T09:30:00.Z',
    '2025-11-20T09:30:00,5Z',
    '2025-11-20T09:30:00.1234567890Z',
    '2025-11-20T09:30:00+1',
    '2025-11-20T09:30:00+010',
    '2025-11-20T09:30:00+01:0',
    '2025-11-20T09:30:00+24',
    '2025-11-20T09:30:00+0160',
    '2025-11-20T09:30:00 +01:00',
    '2025-11-20T09:30:00 01:00',
    '2025-11-20 09:30:00Z',
    '20251120T093000Z',
    '2025-11-20T24:00:00Z',
    '2025-11-20T23:59:60Z',
    '2025-02-29T09:30Z',
    '0070-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
    '2025-11-20T09:30Z\n',
  ])('reads no instant from %j', (text) => {
    expect(parseInstant(text)).toBeNull();
    expect(() => instantOf(text)).toThrow(RangeError);
  });

  it('reads the same instant from every form of its offset and fraction', () => {
    const moment = fc.date({ min: new Date(86_400_000), max: new Date('9998-01-01'), noInvalidDate: true });
    const offset = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
    fc.assert(
      fc.property(moment, offset, fc.constantFrom('', ':'), fc.nat(6), (at, minutes, colon, zeros) => {
        const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hh, mm] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const sign = minutes < 0 ? '-' : '+';
        const written = `${sign}${String(hh).padStart(2, '0')}${colon}${String(mm).padStart(2, '0')}`;
        expect(parseInstant(`${local}${'0'.repeat(zeros)}${written}`)).toEqual(at);
        const whole = new Date(at.getTime() - (at.getTime() % 60_000));
        expect(parseInstant(`${whole.toISOString().slice(0, 16)}Z`)).toEqual(whole);
      }),
    );
  });
});
