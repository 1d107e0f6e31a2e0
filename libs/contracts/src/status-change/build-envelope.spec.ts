import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryChange } from '../../testing/arbitrary-change.js';
import { ABSENT, changedAt } from '../../testing/changed-at.js';
import { checkedChange } from '../../testing/faults-of.js';
import { buildEnvelope, companyIdsIn, type Envelope } from './build-envelope.js';
import { achExample, wireExample } from './examples.js';
import { maskAccount, maskEnvelope } from './mask-envelope.js';

const ID = '01939e1c-7d5a-7cc3-8a52-4b3f7a1d2e90';
const ACH = 'data.achEventInfo';
const WIRE = 'data.wireEventInfo';

const built = (raw: unknown): Envelope => buildEnvelope(checkedChange(raw), ID);

/** The same JSON value with rotated and reversed keys in every object. */
function reordered(value: unknown, places: number): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, places));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, reordered(field, places)] as const);
  const from = places % Math.max(1, entries.length);
  return Object.fromEntries([...entries.slice(from), ...entries.slice(0, from)].toReversed());
}

/** The value with the defaults of the contract filled in. */
const withDefaults = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, field: unknown) => {
    if (typeof field !== 'object' || field === null) return field;
    if (name === 'wireInfo') return { referenceId: 'Not Provided', ...field };
    if (name === 'originatorInfo' || name === 'beneficiaryInfo') return { accountType: 'D', ...field };
    return field;
  });

describe('buildEnvelope', () => {
  it('the body has the data of the change, with defaults, and no other byte than its JSON', () => {
    fc.assert(
      fc.property(arbitraryChange, (raw) => {
        const { eventType, eventDateTime, data } = checkedChange(raw);
        const { body } = built(raw);
        expect(JSON.parse(body)).toEqual({
          notificationId: ID,
          eventType,
          eventDateTime,
          data: withDefaults(data),
        });
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
    );
  });

  it('the content has the body without its id, and the consumers in any order', () => {
    fc.assert(
      fc.property(arbitraryChange, (raw) => {
        const { consumers, ...change } = checkedChange(raw);
        const { notificationId: _id, ...rest } = JSON.parse(built(raw).body);
        expect(built(raw).content).toBe(JSON.stringify({ ...rest, consumers: consumers?.toSorted() }));
        expect(built({ ...change, consumers: consumers?.toReversed() }).content).toBe(built(raw).content);
      }),
    );
  });

  it('builds the same body and content for any order of keys', () => {
    fc.assert(
      fc.property(arbitraryChange, fc.nat(20), (change, places) => {
        expect(built(reordered(change, places))).toEqual(built(change));
      }),
    );
  });

  it('writes an ACH event with the keys of the specification’s tables in their order', () => {
    const party = 'achCompanyId,achCompanyName,name,financialInstitution,account,accountType,accountId';
    expect(keysOf(built(achExample()).body)).toBe(
      'notificationId,eventType,eventDateTime,data,achEventInfo,transactionId,status,transactionType,' +
        `standardEntryClass,transferDate,traceNumber,preNote,amount,debtor,${party},creditor,${party},` +
        'returnNOC,type,reasonCode,reasonDescription',
    );
  });

  it('writes a wire event with the keys of the specification’s tables in their order', () => {
    const address = 'address,addressLine,city,state,postalCode';
    expect(keysOf(built(wireExample()).body)).toBe(
      'notificationId,eventType,eventDateTime,data,wireEventInfo,paymentId,status,exceptionInfo,0,' +
        'exceptionCode,exceptionDescription,IMAD,OMAD,originalWire,wireInfo,paymentAmount,referenceId,endToEndId,' +
        'originatorInfo,accountNumber,accountType,name,wireCompanyId,wireCompanyName,' +
        `beneficiaryInfo,accountNumber,accountType,name,${address},` +
        `institutionInfo,name,routingNumber,${address},remittanceInformation`,
    );
  });

  it('writes eventDateTime in UTC with milliseconds', () => {
    const envelope = built({ ...achExample(), eventDateTime: '2025-11-20t10:30:00.123456789+01' });
    expect(envelope.body).toContain('"eventDateTime":"2025-11-20T09:30:00.123Z"');
    expect(envelope.eventAt.toISOString()).toBe('2025-11-20T09:30:00.123Z');
  });
});

/** All keys of a JSON text, in its order. */
function keysOf(json: string): string {
  const walk = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inside]) => [name, ...walk(inside)])
      : [];
  return walk(JSON.parse(json)).join();
}

describe('buildEnvelope: facts', () => {
  it('returns the facts of an event in addition to the body', () => {
    expect(built(achExample())).toMatchObject({
      eventType: 'ach.status',
      paymentId: 'ACH-2025-000001',
      status: 'NOTICE_OF_CHANGE',
      traceNumber: '021000020000001',
      imad: null,
      companyIds: ['1234567890', '9876543210'],
    });
    expect(built(wireExample())).toMatchObject({
      eventType: 'wire.status',
      paymentId: 'WIRE-2025-000001',
      status: 'Exception',
      traceNumber: null,
      imad: '20251120MMQFMP0B000001',
      companyIds: ['WIRECO-001'],
    });
    const bare = built(changedAt(wireExample(), WIRE, {}));
    expect(bare).toMatchObject({ paymentId: null, status: null, imad: null, companyIds: [] });
  });

  it('does not index search values that are empty or too long', () => {
    expect(built(achExample({ traceNumber: 't'.repeat(255) })).traceNumber).toHaveLength(255);
    expect(built(achExample({ traceNumber: 't'.repeat(256) })).traceNumber).toBeNull();
    expect(built(wireExample({ IMAD: '' })).imad).toBeNull();
  });

  it('reads the companies of any event from its body, each once', () => {
    fc.assert(
      fc.property(arbitraryChange, (raw) => {
        const { body, companyIds } = built(raw);
        expect(companyIdsIn(body)).toEqual(companyIds);
      }),
    );
    const pays = changedAt(achExample(), `${ACH}.creditor.achCompanyId`, '1234567890');
    expect(built(pays).companyIds).toEqual(['1234567890']);
  });

  it.each([
    [achExample(), []],
    [wireExample(), []],
    [achExample({ standardEntryClass: 'ZZZ' }), ['unknown_standard_entry_class']],
    [achExample({ traceNumber: '12345678901234' }), ['unusual_trace_number']],
    [achExample({ traceNumber: '' }), ['unusual_trace_number']],
    [achExample({ status: 'RETURN' }), ['return_noc_mismatch']],
    [
      achExample({ status: 'RETURN', returnNOC: { type: 'Return', reasonCode: 'R', reasonDescription: '' } }),
      [],
    ],
    [changedAt(achExample({ status: 'RETURN' }), `${ACH}.returnNOC`, ABSENT), []],
    [changedAt(wireExample(), `${WIRE}.status`, ABSENT), ['wire_without_status']],
  ])('returns the warnings about an accepted change (case %#)', (raw, warnings) => {
    expect(built(raw).warnings).toEqual(warnings);
  });
});

describe('maskEnvelope', () => {
  it.each([
    ['', '****'],
    ['1234', '****'],
    ['12345', '****2345'],
    ['\u{1FA99}'.repeat(5), `****${'\u{1FA99}'.repeat(4)}`],
  ])('masks the account number %j as %j', (account, shown) => {
    expect(maskAccount(account)).toBe(shown);
  });

  it('masks every account number of any valid change, and nothing else', () => {
    fc.assert(
      fc.property(arbitraryChange, (change) => {
        const { body } = built(change);
        const expected: unknown = JSON.parse(body, (name, value: unknown) =>
          name === 'accountId' || name === 'accountNumber' ? maskAccount(String(value)) : value,
        );
        expect(maskEnvelope(body)).toBe(JSON.stringify(expected));
      }),
    );
  });
});
