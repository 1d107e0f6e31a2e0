import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPlain } from './check-plain.js';
import { BatchDto, BatchItemDto } from './status-change/status-change.dto.js';
import { achExample, wireExample } from './status-change/examples.js';
import { changedAt } from '../testing/changed-at.js';
import { faultsOf } from '../testing/faults-of.js';

/** Names of properties that every JavaScript object has. */
const HOSTILE = Object.getOwnPropertyNames(Object.prototype);

/** Adds a field as JSON.parse does: `__proto__` is an ordinary field. */
const withField = (json: object, name: string, value: unknown): object =>
  Object.fromEntries([...Object.entries(json), [name, value]]);

describe('checkPlain', () => {
  it.each([undefined, null, 1, true, 'text', [], [{}]])('refuses %j instead of an object', (raw) => {
    expect(faultsOf(raw)).toEqual(['body: must be a JSON object']);
  });

  it('reports all faults of a change at once', () => {
    expect(faultsOf({ eventType: 'ach.status', data: { achEventInfo: { amount: 1 } }, more: 1 })).toEqual([
      'more: is not a known field',
      'eventDateTime: is required',
      'data.achEventInfo.transactionId: is required',
      'data.achEventInfo.status: is required',
      'data.achEventInfo.transactionType: is required',
      'data.achEventInfo.standardEntryClass: is required',
      'data.achEventInfo.preNote: is required',
      'data.achEventInfo.amount: must be a string',
      'data.achEventInfo.debtor: is required',
      'data.achEventInfo.creditor: is required',
    ]);
  });

  it('reports the path of a fault inside an array', () => {
    const change = changedAt(wireExample(), 'data.wireEventInfo.exceptionInfo.0', {
      exceptionDescription: 1,
    });
    expect(faultsOf(change)).toEqual([
      'data.wireEventInfo.exceptionInfo[0].exceptionCode: is required',
      'data.wireEventInfo.exceptionInfo[0].exceptionDescription: must be a string',
    ]);
  });

  it.each([
    ['more', 'more'],
    ['data.more', 'data.more'],
    ['data.achEventInfo.debtor.account.more', 'data.achEventInfo.debtor.account.more'],
    ['data.achEventInfo.7', 'data.achEventInfo.7'],
  ])('refuses an unknown field at %s', (path, field) => {
    const change = changedAt(achExample(), path, 'value');
    expect(faultsOf(change)).toEqual([`${field}: is not a known field`]);
  });

  it.each([
    ['a name as long as a request', 'n'.repeat(100_000), 1, `${'n'.repeat(200)}…`],
    ['a name of 200 characters, shown whole', 'n'.repeat(200), 1, 'n'.repeat(200)],
    ['a pair of surrogates', `${'n'.repeat(199)}\u{1FA99}`, 1, `${'n'.repeat(199)}\ufffd…`],
    ['a nested fault', `${'n'.repeat(199)}\u{1FA99}`, { toString: 1 }, `${'n'.repeat(199)}\ufffd…`],
  ])('cuts the path of a fault after 200 characters: %s', (_what, name, value, field) => {
    expect(new Set(faultsOf(withField(achExample(), name, value)))).toEqual(
      new Set([`${field}: is not a known field`]),
    );
  });

  it('lists at most 100 faults of a change, and counts the others', () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 150 }, (_none, index) => [`f${String(index)}`, 1]),
    );
    const faults = faultsOf({ ...achExample(), ...unknown });
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toBe('body: has 50 faults beyond the 100 listed');
  });

  it('never repeats a value of the change in a fault', () => {
    const secret = 'account-4711';
    fc.assert(
      fc.property(fc.constantFrom(achExample(), wireExample()), (example) => {
        const broken: unknown = JSON.parse(JSON.stringify(example), (_name, value: unknown) =>
          typeof value === 'string' ? `${secret}\u0000` : value,
        );
        expect(faultsOf(broken).length).toBeGreaterThan(0);
        expect(faultsOf(broken).join('\n')).not.toContain(secret);
      }),
    );
  });

  it('does not modify the value that it checks', () => {
    const given = Object.freeze(withField(achExample(), '__proto__', { polluted: true }));
    const before = JSON.stringify(given);
    faultsOf(given);
    expect(JSON.stringify(given)).toBe(before);
    expect('polluted' in {}).toBe(false);
  });
});

describe('checkPlain: names of Object.prototype', () => {
  it.each(HOSTILE)('refuses a field named %s as unknown', (name) => {
    for (const value of [1, null, 'text', {}, [], { constructor: 5 }]) {
      expect(faultsOf(withField(achExample(), name, value))).toEqual([`${name}: is not a known field`]);
    }
  });

  it.each(HOSTILE)('refuses a field named %s in every object of a change', (name) => {
    fc.assert(
      fc.property(
        fc.constantFrom('data', 'data.achEventInfo', 'data.achEventInfo.debtor.account', 'data.unknown'),
        fc.jsonValue({ maxDepth: 3 }),
        (path, value) => {
          const hostile = changedAt(achExample(), path, withField({}, name, value));
          expect(faultsOf(hostile)).toContain(`${path}.${name}: is not a known field`);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('checkPlain: nesting', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

  it('accepts 16 levels of nesting, and refuses more', () => {
    expect(faultsOf({ ...achExample(), more: nested(15) })).toEqual(['more: is not a known field']);
    expect(faultsOf({ ...achExample(), more: nested(16) })).toEqual([
      `more${'[0]'.repeat(15)}: is nested deeper than 16 levels`,
    ]);
  });

  it.each([
    ['arrays', '['.repeat(131_000) + ']'.repeat(131_000)],
    ['objects', '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)],
  ])('does not overflow the stack for a request full of %s', (_what, json) => {
    const raw: unknown = JSON.parse(`{"eventType":"ach.status","data":${json}}`);
    const faults = faultsOf(raw);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/: is nested deeper than 16 levels$/);
  });
});

describe('checkPlain: size', () => {
  const TOO_LARGE = ['body: has more than 2000 fields, or 25000 values'];

  it.each([
    [
      '2,000 unknown fields',
      { ...achExample(), ...Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, 1])) },
    ],
    ['2,000 objects', { ...achExample(), data: Array.from({ length: 2_000 }, () => ({})) }],
    ['25,001 texts', { ...achExample(), consumers: Array(25_001).fill('x') }],
  ])('refuses an event with %s before class-validator looks at each', (_what, raw) => {
    expect(faultsOf(raw)).toEqual(TOO_LARGE);
  });
});

describe('checkPlain: BatchDto', () => {
  const hostile: unknown = JSON.parse('{"toString":1,"x":{"constructor":5}}');
  const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));

  it('does not check or copy the items of a batch', () => {
    const events = [achExample(), hostile, deep, null, 1];
    const checked = checkPlain(BatchDto, { events });
    expect(checked).toEqual({ ok: true, value: expect.any(BatchDto) });
    expect(checked.ok && checked.value.events).toBe(events);
  });

  it.each([
    [{}, 'events: is required'],
    [{ events: {} }, 'events: must be an array'],
    [{ events: null }, 'events: must be an array'],
    [{ events: [] }, 'events: must hold 1 to 500 events'],
    [{ events: Array.from({ length: 501 }, () => ({})) }, 'events: must hold 1 to 500 events'],
    [{ events: [{}], more: 1 }, 'more: is not a known field'],
  ])('refuses a batch without 1 to 500 items, or with an unknown field (case %#)', (raw, fault) => {
    const checked = checkPlain(BatchDto, raw);
    expect(checked.ok || checked.faults.map(({ field, message }) => `${field}: ${message}`)).toEqual([fault]);
  });

  it('accepts a batch of 500 items', () => {
    expect(checkPlain(BatchDto, { events: Array.from({ length: 500 }, () => ({})) }).ok).toBe(true);
  });

  it.each([
    ['k', true],
    ['k'.repeat(255), true],
    ['', false],
    ['k'.repeat(256), false],
    [null, false],
  ])('accepts only idempotency keys of 1 to 255 characters in a batch (case %#)', (idempotencyKey, ok) => {
    expect(checkPlain(BatchItemDto, { ...achExample(), idempotencyKey }).ok).toBe(ok);
  });
});
