import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryChange } from '../../testing/arbitrary-change.js';
import { checkedChange, faultsOf } from '../../testing/faults-of.js';
import { buildEnvelope } from './build-envelope.js';
import { dataOf } from './envelope-data.js';
import { maskAccount, maskEnvelope } from './mask-envelope.js';

const ID = '01939e1c-7d5a-7cc3-8a52-4b3f7a1d2e90';
const bodyOf = (raw: unknown): string => buildEnvelope(checkedChange(raw), ID).body;
const contentOf = (raw: unknown): string => buildEnvelope(checkedChange(raw), ID).content;

/** The same JSON value with every object's keys turned round by so many places. */
function turned(value: unknown, places: number): unknown {
  if (Array.isArray(value)) return value.map((item) => turned(item, places));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, turned(field, places)] as const);
  const from = places % Math.max(1, entries.length);
  return Object.fromEntries([...entries.slice(from), ...entries.slice(0, from)].toReversed());
}

/** Every text in a JSON value, keys aside. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The account numbers in an envelope. */
function accountsIn(body: string): string[] {
  const accounts: string[] = [];
  JSON.parse(body, (name, value: unknown) => {
    if ((name === 'accountId' || name === 'accountNumber') && typeof value === 'string') accounts.push(value);
    return value;
  });
  return accounts;
}

/** Objects whose fields may come in any order, compared without what the contract fills in. */
function withDefaults(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, field: unknown) => {
    if (typeof field !== 'object' || field === null) return field;
    if (name === 'wireInfo') return { referenceId: 'Not Provided', ...field };
    if (name === 'originatorInfo' || name === 'beneficiaryInfo') return { accountType: 'D', ...field };
    return field;
  });
}

describe('any valid status change', () => {
  it('accepts any valid change, and its envelope has the same data', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        expect(faultsOf(change)).toEqual([]);
        expect(JSON.parse(bodyOf(change))).toEqual({
          notificationId: ID,
          eventType: change.eventType,
          eventDateTime: change.eventDateTime,
          data: withDefaults(change.data),
        });
      }),
    );
  });

  it('keeps every text of a change unchanged', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const body = bodyOf(change);
        for (const text of textsOf(change.data)) expect(body).toContain(JSON.stringify(text));
      }),
    );
  });

  it('builds the same bytes and content for any key order', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.nat(20), (change, places) => {
        const other = turned(change, places);
        expect(bodyOf(other)).toBe(bodyOf(change));
        expect(contentOf(other)).toBe(contentOf(change));
      }),
    );
  });

  it('does not change a change while building its envelope', () => {
    fc.assert(
      fc.property(arbitraryChange, (raw) => {
        const change = checkedChange(raw);
        const before = JSON.stringify(change);
        buildEnvelope(change, ID);
        expect(JSON.stringify(change)).toBe(before);
      }),
    );
  });

  it('masks every account number', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const shown = JSON.stringify(accountsIn(maskEnvelope(bodyOf(change))));
        const expected = accountsIn(bodyOf(change)).map(maskAccount);
        expect(shown).toBe(JSON.stringify(expected));
      }),
    );
  });
});

describe('any other value', () => {
  it('returns faults for any value, without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (raw) => {
        expect(faultsOf(raw).length).toBeGreaterThan(0);
      }),
    );
  });

  it('returns faults for any value within a valid change', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.jsonValue(), fc.string(), (change, value, name) => {
        fc.pre(!['eventType', 'eventDateTime', 'data', 'consumers'].includes(name));
        const more = Object.fromEntries([...Object.entries(change), [name, value]]);
        expect(faultsOf(more).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('an envelope', () => {
  it('equals JSON.stringify of the fields, as does the content', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.string({ unit: 'binary' }), (raw, notificationId) => {
        const change = checkedChange(raw);
        const { eventType, consumers } = change;
        const eventDateTime = new Date(change.eventDateTime).toISOString();
        const rest = { eventType, eventDateTime, data: dataOf(change) };
        const { body, content } = buildEnvelope(change, notificationId);
        expect(body).toBe(JSON.stringify({ notificationId, ...rest }));
        expect(content).toBe(JSON.stringify({ ...rest, consumers: consumers?.toSorted() }));
      }),
    );
  });

  it('is the same bytes after parsing and writing it again', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const body = bodyOf(change);
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
    );
  });
});
