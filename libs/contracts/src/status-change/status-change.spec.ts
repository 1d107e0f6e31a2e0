import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ABSENT, changedAt } from '../../testing/changed-at.js';
import { faultsOf } from '../../testing/faults-of.js';
import { checkPlain } from '../check-plain.js';
import { achExample, wireExample } from './examples.js';
import { BatchItemDto } from './status-change.dto.js';

const NOW = '2025-11-20T10:00:00.000Z';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse(NOW) });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('examples', () => {
  it.each([achExample(), wireExample()])('accepts the example of $eventType', (example) => {
    expect(faultsOf(example)).toEqual([]);
  });

  it.each([achExample(), wireExample()])(
    'accepts the example of $eventType although the clock is a year behind',
    (example) => {
      jest.setSystemTime(Date.parse('2025-11-21'));
      expect(faultsOf(example)).toEqual([]);
    },
  );
});

describe('eventType and data', () => {
  it.each([
    [ABSENT, 'is required'],
    [null, 'must be one of ach.status, wire.status'],
    ['ACH.STATUS', 'must be one of ach.status, wire.status'],
    ['constructor', 'must be one of ach.status, wire.status'],
    [['ach.status'], 'must be one of ach.status, wire.status'],
  ])('reports no fault of data for the eventType %j', (eventType, message) => {
    expect(faultsOf(changedAt(achExample(), 'eventType', eventType))).toEqual([`eventType: ${message}`]);
  });

  it.each([
    [ABSENT, 'data: is required'],
    [null, 'data: must be an object'],
    [[], 'data: must be an object'],
    [[achExample().data], 'data: must be an object'],
    ['{}', 'data: must be an object'],
    [{}, 'data.achEventInfo: is required'],
  ])('refuses %j as data', (data, fault) => {
    expect(faultsOf(changedAt(achExample(), 'data', data))).toEqual([fault]);
  });

  it('accepts only the data of the eventType', () => {
    const both = { ...achExample().data, ...wireExample().data };
    expect(faultsOf({ ...achExample(), data: both })).toEqual(['data.wireEventInfo: is not a known field']);
    expect(faultsOf({ ...wireExample(), data: both })).toEqual(['data.achEventInfo: is not a known field']);
    expect(faultsOf({ ...wireExample(), data: achExample().data })).toEqual([
      'data.achEventInfo: is not a known field',
      'data.wireEventInfo: is required',
    ]);
  });
});

describe('eventDateTime', () => {
  it.each([
    '2025-11-20T09:30:00Z',
    '2025-11-20T09:30:00.1Z',
    '2025-11-20T09:30:00.123456789Z',
    '2025-11-20T15:00:00+05:30',
    '2025-11-19T23:30:00-10:00',
    '2024-02-29T00:00:00Z',
    '2025-11-20T09:30Z',
    '2025-11-20t09:30:00z',
    '2025-11-20T10:30:00+0100',
    '2025-11-20T09:30:00.123456789+0000',
    '2025-11-20T10:05:00.000Z',
    '2025-11-20T11:05:00+01:00',
  ])('accepts eventDateTime %s', (eventDateTime) => {
    expect(faultsOf({ ...achExample(), eventDateTime })).toEqual([]);
  });

  it.each([
    '',
    '2025-11-20',
    '2025-11-20T09:30:00',
    '2025-11-20T09:30',
    '2025-11-20 09:30:00Z',
    '20251120T093000Z',
    '2025-11-20T09:30:00,5Z',
    '2025-11-20T09:30:00.Z',
    '2025-11-20T09:30:00+24:00',
    '2025-11-20T09:30:00+01:60',
    '2025-11-20T24:00:00Z',
    '2025-11-20T23:60:00Z',
    '2025-11-20T23:59:60Z',
    '2026-02-30T09:30:00Z',
    '2026-13-01T09:30:00Z',
    '1969-12-31T23:59:59Z',
    ' 2025-11-20T09:30:00Z',
    '2025-11-20T09:30:00Z\n',
    'Fri, 20 Nov 2026 09:30:00 GMT',
  ])('refuses eventDateTime %j', (eventDateTime) => {
    expect(faultsOf({ ...achExample(), eventDateTime })).toEqual([
      'eventDateTime: must be an ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z',
    ]);
  });

  it.each(['2025-11-20T10:05:00.001Z', '2025-11-20T11:05:01+01:00', '2099-01-01T00:00:00Z'])(
    'refuses eventDateTime %s, more than 5 minutes ahead',
    (eventDateTime) => {
      expect(faultsOf({ ...achExample(), eventDateTime })).toEqual([
        'eventDateTime: must not lie more than 5 minutes in the future',
      ]);
    },
  );

  it.each([null, 1_763_631_000, {}, []])(
    'refuses eventDateTime %j, which is not a string',
    (eventDateTime) => {
      expect(faultsOf({ ...achExample(), eventDateTime })).toEqual(['eventDateTime: must be a string']);
    },
  );
});

describe('consumers', () => {
  const named = (count: number): string[] => Array.from({ length: count }, (_none, index) => String(index));
  const faultsWith = (consumers: unknown): string[] => faultsOf({ ...achExample(), consumers });

  it.each([[['a']], [['a', 'A', '\u{1FA99}'.repeat(255)]], [named(100)]])(
    'accepts 1 to 100 distinct consumers: %j',
    (consumers) => {
      expect(faultsWith(consumers)).toEqual([]);
    },
  );

  it.each([
    [null, 'must be an array'],
    ['a', 'must be an array'],
    [{ 0: 'a' }, 'must be an array'],
    [[], 'must hold 1 to 100 items'],
    [named(101), 'must hold 1 to 100 items'],
  ])('refuses consumers %j', (consumers, message) => {
    expect(faultsWith(consumers)).toEqual([`consumers: ${message}`]);
  });

  it.each([
    ['a', 'must not repeat an earlier item'],
    ['', 'must not be empty'],
    ['\u{1FA99}'.repeat(256), 'must be at most 255 characters'],
    [1, 'must be a string'],
    [null, 'must be a string'],
    [['a'], 'must be a string'],
    [{}, 'must be a string'],
    ['\u0000', 'must not contain U+0000 or unpaired surrogates'],
  ])('refuses consumers that include %j', (consumer, message) => {
    expect(faultsWith(['a', consumer])).toEqual([`consumers[1]: ${message}`]);
  });

  it('reports every invalid consumer by its index', () => {
    expect(faultsWith(['a', '', 'b', null, 'a'])).toEqual([
      'consumers[1]: must not be empty',
      'consumers[3]: must be a string',
      'consumers[4]: must not repeat an earlier item',
    ]);
  });

  it('reports every invalid consumer of a batch item by its index', () => {
    const checked = checkPlain(BatchItemDto, { ...achExample(), consumers: ['', 1] });
    expect(checked.ok || checked.faults.map(({ field }) => field)).toEqual(['consumers[0]', 'consumers[1]']);
  });
});
