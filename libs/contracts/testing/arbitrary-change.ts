import fc from 'fast-check';

/** Every text that the contract accepts, its length in code points: no U+0000, no unpaired surrogates. */
const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength, maxLength })
    .map((any) => any.replaceAll('\u0000', '0'))
    .filter((any) => any.isWellFormed());
const free = text(0, 50);
const code = text(1, 20);
const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${String(min)},${String(max)}}$`));
const decimal = (whole: fc.Arbitrary<string>, fraction: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(whole, fraction).map((parts) => parts.join('.'));
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** An object whose optional fields can be absent. */
const fields = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<unknown> => fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) });

const party = fields(
  { account: fields({ accountType: code, accountId: code }) },
  { achCompanyId: text(1, 255), achCompanyName: free, name: free, financialInstitution: code },
);

const achEventInfo = fields(
  {
    transactionId: text(1, 255),
    status: fc.constantFrom('INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'),
    transactionType: fc.constantFrom('CREDIT', 'DEBIT'),
    standardEntryClass: fc.stringMatching(/^[A-Z]{3}$/),
    preNote: fc.boolean(),
    amount: decimal(digits(1, 15), digits(1, 6)),
    debtor: party,
    creditor: party,
  },
  {
    transferDate: day.map((date) => date.slice(0, 10)),
    traceNumber: free,
    returnNOC: fields({ type: fc.constantFrom('NOC', 'Return'), reasonCode: code, reasonDescription: free }),
  },
);

const address = fields({}, { addressLine: free, city: free, state: free, postalCode: free });
const accountType = fc.constantFrom('D', 'S');

const originalWire = fields(
  {
    wireInfo: fields(
      { paymentAmount: decimal(digits(1, 9), digits(2, 2)) },
      { referenceId: fc.oneof(text(35, 35), fc.constant('Not Provided')), endToEndId: text(36, 36) },
    ),
    originatorInfo: fields(
      { accountNumber: text(1, 16), name: text(1, 35) },
      { accountType, wireCompanyId: text(1, 12), wireCompanyName: text(1, 40) },
    ),
    beneficiaryInfo: fields(
      {
        accountNumber: text(1, 34),
        name: text(1, 35),
        address,
        institutionInfo: fields({}, { name: free, routingNumber: code, address }),
      },
      { accountType },
    ),
  },
  { remittanceInformation: text(0, 140) },
);

const wireEventInfo = fields(
  {},
  {
    paymentId: text(1, 255),
    status: fc.constantFrom('Review', 'Send Ready', 'Reject', 'Error', 'Exception', 'Complete'),
    exceptionInfo: fc.array(fields({ exceptionCode: code, exceptionDescription: free }), { maxLength: 3 }),
    IMAD: free,
    OMAD: free,
    originalWire,
  },
);

/** A status change as JSON. */
export interface ArbitraryChange {
  eventType: 'ach.status' | 'wire.status';
  eventDateTime: string;
  data: Record<string, unknown>;
  consumers?: string[];
}

const consumers = fc.uniqueArray(code, { minLength: 1, maxLength: 3 });

/** Every status change that the contract accepts; for properties. */
export const arbitraryChange: fc.Arbitrary<ArbitraryChange> = fc.oneof(
  fc.record(
    {
      eventType: fc.constant('ach.status' as const),
      eventDateTime: day,
      data: fc.record({ achEventInfo }),
      consumers,
    },
    { requiredKeys: ['eventType', 'eventDateTime', 'data'] },
  ),
  fc.record(
    {
      eventType: fc.constant('wire.status' as const),
      eventDateTime: day,
      data: fc.record({ wireEventInfo }),
      consumers,
    },
    { requiredKeys: ['eventType', 'eventDateTime', 'data'] },
  ),
);
