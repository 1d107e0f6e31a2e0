import { describe, expect, it } from '@jest/globals';
import { ABSENT, changedAt } from '../../testing/changed-at.js';
import { checkedChange } from '../../testing/faults-of.js';
import { buildEnvelope, companyIdsIn, type Envelope } from './build-envelope.js';
import { achExample, wireExample } from './examples.js';

const ID = '01939e1c-7d5a-7cc3-8a52-4b3f7a1d2e90';
const ACH = 'data.achEventInfo';
const WIRE = 'data.wireEventInfo';

const built = (raw: unknown): Envelope => buildEnvelope(checkedChange(raw), ID);

describe('buildEnvelope: body', () => {
  it('writes an ACH event with the keys of the specification’s tables in their order', () => {
    expect(built(achExample()).body).toBe(
      `{"notificationId":"${ID}","eventType":"ach.status","eventDateTime":"2025-11-20T09:30:00.000Z",` +
        '"data":{"achEventInfo":{"transactionId":"ACH-2025-000001","status":"NOTICE_OF_CHANGE",' +
        '"transactionType":"CREDIT","standardEntryClass":"PPD","transferDate":"2025-11-20",' +
        '"traceNumber":"021000020000001","preNote":false,"amount":"1250.00",' +
        '"debtor":{"achCompanyId":"1234567890","achCompanyName":"ACME PAYROLL","name":"Acme Corporation",' +
        '"financialInstitution":"021000021","account":{"accountType":"CHECKING","accountId":"000123456789"}},' +
        '"creditor":{"achCompanyId":"9876543210","achCompanyName":"EXAMPLE SUPPLY",' +
        '"name":"Example Supply LLC","financialInstitution":"011401533",' +
        '"account":{"accountType":"SAVINGS","accountId":"000987654321"}},' +
        '"returnNOC":{"type":"NOC","reasonCode":"C01","reasonDescription":"Incorrect DFI account number"}}}}',
    );
  });

  it('writes a wire event with the keys of the specification’s tables in their order', () => {
    const address = '{"addressLine":"1 Main Street","city":"Springfield","state":"IL","postalCode":"62701"}';
    expect(built(wireExample()).body).toBe(
      `{"notificationId":"${ID}","eventType":"wire.status","eventDateTime":"2025-11-20T09:30:00.000Z",` +
        '"data":{"wireEventInfo":{"paymentId":"WIRE-2025-000001","status":"Exception",' +
        '"exceptionInfo":[{"exceptionCode":"E101","exceptionDescription":"Beneficiary account is closed"}],' +
        '"IMAD":"20251120MMQFMP0B000001","OMAD":"20251120MMQFMP0B000002",' +
        '"originalWire":{"wireInfo":{"paymentAmount":"25000.00",' +
        '"referenceId":"REF-0000000000000000000000000000001",' +
        '"endToEndId":"3f2c1b7e-8d4a-4c7e-9a51-0f6b2d3c4e5f"},' +
        '"originatorInfo":{"accountNumber":"1234567890123456","accountType":"S","name":"Acme Corporation",' +
        '"wireCompanyId":"WIRECO-001","wireCompanyName":"Acme Corporation"},' +
        '"beneficiaryInfo":{"accountNumber":"DE89370400440532013000","accountType":"D",' +
        `"name":"Beispiel GmbH","address":${address},` +
        `"institutionInfo":{"name":"First Example Bank","routingNumber":"021000021","address":${address}}},` +
        '"remittanceInformation":"Invoice 4711"}}}}',
    );
  });

  it('omits absent fields from the body', () => {
    const bare = built(changedAt(wireExample(), WIRE, {})).body;
    expect(bare).toMatch(/"data":\{"wireEventInfo":\{\}\}\}$/);
    expect(built(changedAt(achExample(), `${ACH}.returnNOC`, ABSENT)).body).not.toContain('returnNOC');
  });

  it('keeps an empty list of exceptions in the body', () => {
    expect(built(wireExample({ exceptionInfo: [] })).body).toContain('"exceptionInfo":[]');
  });

  it.each([
    [`${WIRE}.originalWire.wireInfo.referenceId`, '"referenceId":"Not Provided"'],
    [
      `${WIRE}.originalWire.originatorInfo.accountType`,
      '"accountNumber":"1234567890123456","accountType":"D"',
    ],
    [`${WIRE}.originalWire.beneficiaryInfo.accountType`, '"accountType":"D","name":"Beispiel GmbH"'],
  ])('writes the default of an absent %s into the body', (path, expected) => {
    expect(built(changedAt(wireExample(), path, ABSENT)).body).toContain(expected);
  });

  it.each([
    ['2025-11-20T09:30:00Z', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20T09:30:00.1Z', '2025-11-20T09:30:00.100Z'],
    ['2025-11-20T09:30:00.9999999Z', '2025-11-20T09:30:00.999Z'],
    ['2025-11-20T09:30Z', '2025-11-20T09:30:00.000Z'],
    ['2025-11-20t10:30:00.123456789+01', '2025-11-20T09:30:00.123Z'],
    ['2025-11-20T00:30:00+05:30', '2025-11-19T19:00:00.000Z'],
    ['2025-11-19T20:30:00-10:00', '2025-11-20T06:30:00.000Z'],
  ])('writes the eventDateTime %s in UTC with milliseconds', (eventDateTime, expected) => {
    const envelope = built({ ...achExample(), eventDateTime });
    expect(envelope.body).toContain(`"eventDateTime":"${expected}"`);
    expect(envelope.eventAt.toISOString()).toBe(expected);
  });

  it('does not write the field consumers into the body', () => {
    expect(built({ ...achExample(), consumers: ['acme'] }).body).not.toContain('acme');
  });
});

describe('buildEnvelope: facts', () => {
  it('returns the facts of an event in addition to the body', () => {
    expect(built(achExample())).toMatchObject({
      eventType: 'ach.status',
      paymentId: 'ACH-2025-000001',
      status: 'NOTICE_OF_CHANGE',
      traceNumber: '021000020000001',
      imad: null,
      companyIds: ['1234567890', '9876543210'],
      warnings: [],
    });
    expect(built(wireExample())).toMatchObject({
      eventType: 'wire.status',
      paymentId: 'WIRE-2025-000001',
      status: 'Exception',
      traceNumber: null,
      imad: '20251120MMQFMP0B000001',
      companyIds: ['WIRECO-001'],
      warnings: [],
    });
  });

  it('returns null for the facts that a wire event lacks', () => {
    expect(built(changedAt(wireExample(), WIRE, {}))).toMatchObject({
      paymentId: null,
      status: null,
      imad: null,
      companyIds: [],
    });
  });

  it('returns the id of a company that pays itself only once', () => {
    const change = changedAt(achExample(), `${ACH}.creditor.achCompanyId`, '1234567890');
    expect(built(change).companyIds).toEqual(['1234567890']);
  });

  it('does not index search values that are empty or too long', () => {
    expect(built(achExample({ traceNumber: 't'.repeat(256) })).traceNumber).toBeNull();
    expect(built(wireExample({ IMAD: '' })).imad).toBeNull();
  });
});

describe('buildEnvelope: warnings', () => {
  it.each([
    [achExample({ standardEntryClass: 'ZZZ' }), ['unknown_standard_entry_class']],
    [achExample({ traceNumber: '12345678901234' }), ['unusual_trace_number']],
    [achExample({ traceNumber: '' }), ['unusual_trace_number']],
    [achExample({ status: 'PROCESSED' }), ['return_noc_mismatch']],
    [achExample({ status: 'RETURN' }), ['return_noc_mismatch']],
    [
      achExample({
        status: 'RETURN',
        returnNOC: { type: 'Return', reasonCode: 'R01', reasonDescription: 'Insufficient Funds' },
      }),
      [],
    ],
    [
      achExample({ standardEntryClass: 'ABC', traceNumber: 'x', status: 'INITIATED' }),
      ['unknown_standard_entry_class', 'unusual_trace_number', 'return_noc_mismatch'],
    ],
    [changedAt(achExample({ status: 'RETURN' }), `${ACH}.returnNOC`, ABSENT), []],
    [changedAt(wireExample(), `${WIRE}.status`, ABSENT), ['wire_without_status']],
  ])('returns the warnings about an accepted change (case %#)', (raw, warnings) => {
    expect(built(raw).warnings).toEqual(warnings);
  });

  it.each(
    'ACK ADV ARC ATX BOC CCD CIE COR CTX DNE ENR IAT MTE POP POS PPD RCK SHR TEL TRC TRX WEB XCK'.split(' '),
  )('returns no warning about the standard entry class %s', (standardEntryClass) => {
    expect(built(achExample({ standardEntryClass })).warnings).toEqual([]);
  });
});

describe('buildEnvelope: content', () => {
  const content = (raw: unknown): string => built(raw).content;

  it('returns the same content for the same change in another notation', () => {
    const same = { ...achExample(), eventDateTime: '2025-11-20T10:30:00+01:00' };
    expect(content(same)).toBe(content(achExample()));
    const omitted = changedAt(wireExample(), `${WIRE}.originalWire.beneficiaryInfo.accountType`, ABSENT);
    expect(content(omitted)).toBe(content(wireExample()));
    expect(content({ ...achExample(), consumers: ['b', 'a'] })).toBe(
      content({ ...achExample(), consumers: ['a', 'b'] }),
    );
  });

  it.each([
    achExample({ amount: '1250.0' }),
    { ...achExample(), eventDateTime: '2025-11-20T09:30:00.001Z' },
    { ...achExample(), consumers: ['a'] },
    changedAt(achExample(), `${ACH}.returnNOC`, ABSENT),
    wireExample(),
  ])('returns different content for a different change (case %#)', (raw) => {
    expect(content(raw)).not.toBe(content(achExample()));
  });

  it('does not include the notificationId in the content', () => {
    expect(content(achExample())).not.toContain('notificationId');
  });
});

describe('companyIdsIn', () => {
  it('companyIdsIn reads the companies of the envelope from its body', () => {
    const bare = changedAt(wireExample(), WIRE, {});
    for (const raw of [achExample(), wireExample(), bare]) {
      const { body, companyIds } = built(raw);
      expect(companyIdsIn(body)).toEqual(companyIds);
    }
    expect(built(bare).companyIds).toEqual([]);
    expect(built(achExample()).companyIds).toEqual(['1234567890', '9876543210']);
  });
});
