import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { describedChanges } from '../../testing/arbitrary-change.js';
import { changedAt } from '../../testing/changed-at.js';
import { checkedChange, faultsOf } from '../../testing/faults-of.js';
import { achExample, wireExample } from './examples.js';
import { admitWireStatuses } from './wire-statuses.js';

describe.each(describedChanges)('$eventType', ({ valid, faulty }) => {
  it('accepts every valid change, without modifying it', () => {
    fc.assert(
      fc.property(valid, (change) => {
        const before = JSON.stringify(change);
        expect(checkedChange(change)).toEqual(change);
        expect(JSON.stringify(change)).toBe(before);
      }),
    );
  });

  it.each([...faulty])('reports a broken rule of “%s” as one fault, without the value', (_path, broken) => {
    fc.assert(
      fc.property(broken, ({ value, at, message }) => {
        expect(faultsOf(value)).toEqual([
          at === '' ? 'body: must be a JSON object' : `${at.slice(1)}: ${message}`,
        ]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the example', () => {
  it.each([achExample(), wireExample()])('$eventType has a field for every rule', (example) => {
    expect(faultsOf(example)).toEqual([]);
    const described = describedChanges.find(({ eventType }) => eventType === example.eventType);
    const paths = [...(described?.faulty.keys() ?? [])].filter((path) => !path.startsWith('.consumers'));
    expect(pathsIn(example).toSorted()).toEqual(paths.toSorted());
  });
});

/** The paths of all values in a JSON value. */
function pathsIn(value: unknown, at = ''): string[] {
  const below = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const nested = below.flatMap(([name, inside]) =>
    pathsIn(inside, Array.isArray(value) ? `${at}[]` : `${at}.${name}`),
  );
  return [at, ...nested];
}

describe('faults of several fields', () => {
  const amount = 'data.wireEventInfo.originalWire.wireInfo.paymentAmount';

  it('are reported together, each with every broken rule', () => {
    expect(faultsOf({ eventType: 'ach.status', data: { achEventInfo: { amount: 1 } }, more: 1 })).toEqual([
      'more: is not a known field',
      'eventDateTime: is required',
      ...['transactionId', 'status', 'transactionType', 'standardEntryClass', 'preNote'].map(
        (name) => `data.achEventInfo.${name}: is required`,
      ),
      'data.achEventInfo.amount: must be a string',
      'data.achEventInfo.debtor: is required',
      'data.achEventInfo.creditor: is required',
    ]);
    expect(faultsOf(changedAt(wireExample(), amount, 'twelve dollars'))).toEqual([
      `${amount}: must be at most 12 characters`,
      `${amount}: must be digits, a point and two digits; below one dollar a leading 0 is required (0.50)`,
    ]);
  });

  it('accepts only the data of the eventType', () => {
    const both = { ...achExample().data, ...wireExample().data };
    expect(faultsOf({ ...achExample(), data: both })).toEqual(['data.wireEventInfo: is not a known field']);
    expect(faultsOf({ ...wireExample(), data: achExample().data })).toEqual([
      'data.achEventInfo: is not a known field',
      'data.wireEventInfo: is required',
    ]);
  });

  it('reports every invalid consumer by its index', () => {
    expect(faultsOf({ ...achExample(), consumers: ['a', '', 'b', null, 'a'] })).toEqual([
      'consumers[1]: must not be empty',
      'consumers[3]: must be a string',
      'consumers[4]: must not repeat an earlier item',
    ]);
    expect(
      faultsOf({ ...achExample(), consumers: Array.from({ length: 100 }, (_none, at) => String(at)) }),
    ).toEqual([]);
  });
});

describe('eventDateTime', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.parse('2025-11-20T10:00:00Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['2025-11-20T10:05:00.000Z', []],
    ['2025-11-20T11:05:00+01:00', []],
    ['2025-11-20T10:05:00.001Z', ['eventDateTime: must not lie more than 5 minutes in the future']],
  ])('lies at most 5 minutes in the future: %s', (eventDateTime, faults) => {
    expect(faultsOf({ ...achExample(), eventDateTime })).toEqual(faults);
  });
});

describe('admitWireStatuses', () => {
  afterEach(() => admitWireStatuses([]));

  it('admits configured wire statuses in addition to the six of the contract', () => {
    admitWireStatuses(['Processed']);
    const faultsWith = (status: string): string[] => faultsOf(wireExample({ status }));
    expect([faultsWith('Processed'), faultsWith('Complete')]).toEqual([[], []]);
    expect(faultsWith('Done')).toEqual([
      'data.wireEventInfo.status: must be one of Review, Send Ready, Reject, Error, Exception, Complete, Processed',
    ]);
  });
});
