import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isTimeZone, isWithinHours } from './channel-hours.js';

const WEEKDAYS = { timeZone: 'America/New_York', days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
const NIGHTS = { timeZone: 'UTC', days: [5], from: '22:00', to: '06:00' };

describe('isWithinHours', () => {
  it.each([
    ['Thursday 07:59 in New York', WEEKDAYS, '2025-11-20T12:59:59Z', false],
    ['Thursday 08:00 in New York', WEEKDAYS, '2025-11-20T13:00:00Z', true],
    ['Thursday 17:59 in New York', WEEKDAYS, '2025-11-20T22:59:00Z', true],
    ['Thursday 18:00 in New York', WEEKDAYS, '2025-11-20T23:00:00Z', false],
    ['Saturday noon in New York', WEEKDAYS, '2025-11-22T17:00:00Z', false],
    ['08:00 in summer time', WEEKDAYS, '2025-07-17T12:00:00Z', true],
    ['Friday night before midnight', NIGHTS, '2025-11-21T23:00:00Z', true],
    ['Friday’s night, on Saturday', NIGHTS, '2025-11-22T05:59:00Z', true],
    ['Saturday 06:00', NIGHTS, '2025-11-22T06:00:00Z', false],
    ['Friday before 06:00, in Thursday’s night', NIGHTS, '2025-11-21T05:00:00Z', false],
  ])('%s', (_what, hours, at, expected) => {
    expect(isWithinHours(hours, new Date(at))).toBe(expected);
  });

  it('equal times on all days are always, and a period and the rest of the day exclude each other', () => {
    const at = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true });
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const timeZone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham');
    const days = [1, 2, 3, 4, 5, 6, 7];
    fc.assert(
      fc.property(at, time, time, timeZone, (now, from, to, zone) => {
        expect(isWithinHours({ timeZone: zone, days, from, to: from }, now)).toBe(true);
        if (from === to) return;
        const one = isWithinHours({ timeZone: zone, days, from, to }, now);
        expect(isWithinHours({ timeZone: zone, days, from: to, to: from }, now)).toBe(!one);
      }),
    );
  });
});

it('isTimeZone accepts IANA names and refuses other texts', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', '+99:99'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
