import fc from 'fast-check';
import { choice, exactly, list, matching, object, refused, text, texts, truth } from './described.js';

const instants = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${String(min)},${String(max)}}$`));
const decimal = (whole: fc.Arbitrary<string>, fraction: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(whole, fraction).map((parts) => parts.join('.'));
const capitals = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');

const free = text(0);
const code = text(1);
const party = object({
  'achCompanyId?': text(1, 255),
  'achCompanyName?': free,
  'name?': free,
  'financialInstitution?': code,
  account: object({ accountType: code, accountId: code }),
});

const achEventInfo = object({
  transactionId: text(1, 255),
  status: choice('INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'),
  transactionType: choice('CREDIT', 'DEBIT'),
  standardEntryClass: matching(
    fc.tuple(capitals, capitals, capitals).map((letters) => letters.join('')),
    { 'must be three capital letters': ['', 'PP', 'PPDX', 'ppd', 'PPD\n', 'ÄÖÜ'] },
  ),
  'transferDate?': matching(
    fc.oneof(
      instants.map((instant) => instant.slice(0, 10)),
      fc.constant('2000-02-29'),
    ),
    {
      'must be a date as YYYY-MM-DD': [
        '',
        '2025-11-20T00:00:00Z',
        '26-11-20',
        '2026-1-1',
        ' 2025-11-20',
        '2025-11-20\n',
      ],
      'must be a day of the calendar': [
        '2026-02-29',
        '1900-02-29',
        '2026-04-31',
        '2026-13-01',
        '2026-00-10',
        '2026-01-00',
      ],
    },
  ),
  'traceNumber?': free,
  preNote: truth,
  amount: matching(decimal(digits(1, 15), digits(1, 6)), {
    'must be digits, a point and digits': [
      '',
      '1',
      '.50',
      '1.',
      '1,00',
      '-1.00',
      '+1.00',
      '1e3',
      ' 1.00',
      '1.00\n',
      '١.٢',
    ],
  }),
  debtor: party,
  creditor: party,
  'returnNOC?': object({ type: choice('NOC', 'Return'), reasonCode: code, reasonDescription: free }),
});

const address = object({ 'addressLine?': free, 'city?': free, 'state?': free, 'postalCode?': free });
const accountType = choice('D', 'S');
const WIRE_STATUSES = ['Review', 'Send Ready', 'Reject', 'Error', 'Exception', 'Complete'];

const exception = object({ exceptionCode: code, exceptionDescription: free });

const wireEventInfo = object({
  'paymentId?': text(1, 255),
  'status?': matching(fc.constantFrom(...WIRE_STATUSES), {
    [`must be one of ${WIRE_STATUSES.join(', ')}`]: ['Processed', '', 'complete', 'Complete '],
  }),
  'exceptionInfo?': list(
    exception,
    'must be an array of objects',
    fc.array(exception.valid, { maxLength: 3 }),
  ),
  'IMAD?': free,
  'OMAD?': free,
  'originalWire?': object({
    wireInfo: object({
      paymentAmount: matching(decimal(digits(1, 9), digits(2, 2)), {
        'must be digits, a point and two digits; below one dollar a leading 0 is required (0.50)': [
          '',
          '.50',
          '1',
          '1.5',
          '1.500',
          '-1.00',
          '1,000.00',
          '1.00\n',
        ],
        'must be at most 12 characters': ['1234567890.00'],
      }),
      'referenceId?': exactly(35, 'Not Provided'),
      'endToEndId?': exactly(36),
    }),
    originatorInfo: object({
      accountNumber: text(1, 16),
      'accountType?': accountType,
      name: text(1, 35),
      'wireCompanyId?': text(1, 12),
      'wireCompanyName?': text(1, 40),
    }),
    beneficiaryInfo: object({
      accountNumber: text(1, 34),
      'accountType?': accountType,
      name: text(1, 35),
      address,
      institutionInfo: object({ 'name?': free, 'routingNumber?': code, 'address?': address }),
    }),
    'remittanceInformation?': text(0, 140),
  }),
});

const CHANGES = {
  'ach.status': object({ achEventInfo }),
  'wire.status': object({ wireEventInfo }),
};

/** A status change as the specification describes it. */
export const describedChanges = Object.entries(CHANGES).map(([eventType, data]) => ({
  eventType,
  ...object({
    eventType: { ...choice(...Object.keys(CHANGES)), valid: fc.constant(eventType) },
    eventDateTime: matching(instants, {
      'must be an ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z': [
        '',
        '2025-11-20',
        '2025-02-29T09:30:00Z',
        'Fri, 20 Nov 2025 09:30:00 GMT',
      ],
      'must not lie more than 5 minutes in the future': ['2999-01-01T00:00:00Z'],
    }),
    data,
    'consumers?': list(
      text(1, 255),
      'must be an array',
      fc.uniqueArray(texts(1, 20), { minLength: 1, maxLength: 3 }),
      refused(
        'must hold 1 to 100 items',
        fc.constantFrom(
          [],
          Array.from({ length: 101 }, (_none, at) => String(at)),
        ),
      ),
    ),
  }),
}));

/** Every status change that the contract accepts; for properties. */
export const arbitraryChange = fc.oneof(...describedChanges.map(({ valid }) => valid));
