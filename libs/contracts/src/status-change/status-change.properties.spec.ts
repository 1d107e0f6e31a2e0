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

/** The same JSON value with rotated and reversed keys in every object. */
function reordered(value: unknown, places: number): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, places));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, reordered(field, places)] as const);
  const from = places % Math.max(1, entries.length);
  return Object.fromEntries([...entries.slice(from), ...entries.slice(0, from)].toReversed());
}

/** Every text in a JSON value, without the keys. */
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

/** The value with the defaults of the contract filled in. */
function withDefaults(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, field: unknown) => {
    if (typeof field !== 'object' || field === null) return field;
    if (name === 'wireInfo') return { referenceId: 'Not Provided', ...field };
    if (name === 'originatorInfo' || name === 'beneficiaryInfo') return { accountType: 'D', ...field };
    return field;
  });
}

describe('valid status change', () => {
  it('accepts any valid change, and builds an envelope with the same data', () => {
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

  it('keeps every text of a change unchanged in the body', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const body = bodyOf(change);
        for (const text of textsOf(change.data)) expect(body).toContain(JSON.stringify(text));
      }),
    );
  });

  it('builds the same body and content for any order of keys', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.nat(20), (change, places) => {
        const other = reordered(change, places);
        expect(bodyOf(other)).toBe(bodyOf(change));
        expect(contentOf(other)).toBe(contentOf(change));
      }),
    );
  });

  it('does not modify a change while it builds the envelope', () => {
    fc.assert(
      fc.property(arbitraryChange, (raw) => {
        const change = checkedChange(raw);
        const before = JSON.stringify(change);
        buildEnvelope(change, ID);
        expect(JSON.stringify(change)).toBe(before);
      }),
    );
  });

  it('masks every account number of any valid change', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const shown = JSON.stringify(accountsIn(maskEnvelope(bodyOf(change))));
        const expected = accountsIn(bodyOf(change)).map(maskAccount);
        expect(shown).toBe(JSON.stringify(expected));
      }),
    );
  });
});

describe('invalid status change', () => {
  it('returns faults for any JSON value, and does not throw', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (raw) => {
        expect(faultsOf(raw).length).toBeGreaterThan(0);
      }),
    );
  });

  it('returns faults for an unknown field of any name and value in a valid change', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.jsonValue(), fc.string(), (change, value, name) => {
        fc.pre(!['eventType', 'eventDateTime', 'data', 'consumers'].includes(name));
        const more = Object.fromEntries([...Object.entries(change), [name, value]]);
        expect(faultsOf(more).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('envelope', () => {
  it('body and content of an envelope equal JSON.stringify of their fields', () => {
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

  it('the body of an envelope has the same bytes after parsing and writing it again', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const body = bodyOf(change);
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
    );
  });
});
