import { describe } from '@jest/globals';
import { testFields, type FieldRow } from '../../testing/field-table.js';
import { achExample } from './examples.js';

const ACH = 'data.achEventInfo';
const EMPTY = 'must not be empty';
const AMOUNT = 'must be digits, a point and digits';
const DATE = 'must be a date as YYYY-MM-DD';
const DAY = 'must be a day of the calendar';
const CODE = 'must be three capital letters';
/** One code point, two UTF-16 units. */
const COIN = '\u{1FA99}';

const party = (name: 'debtor' | 'creditor'): FieldRow[] => [
  { path: `${ACH}.${name}`, kind: 'object' },
  {
    path: `${ACH}.${name}.achCompanyId`,
    kind: 'text',
    optional: true,
    accepts: ['1', COIN.repeat(255)],
    refuses: [
      ['', EMPTY],
      ['1'.repeat(256), 'must be at most 255 characters'],
    ],
  },
  { path: `${ACH}.${name}.achCompanyName`, kind: 'text', optional: true, accepts: ['', ' Ünïcode '] },
  { path: `${ACH}.${name}.name`, kind: 'text', optional: true, accepts: ['', COIN] },
  {
    path: `${ACH}.${name}.financialInstitution`,
    kind: 'text',
    optional: true,
    accepts: ['021000021', 'no ABA number'],
    refuses: [['', EMPTY]],
  },
  { path: `${ACH}.${name}.account`, kind: 'object' },
  { path: `${ACH}.${name}.account.accountType`, kind: 'text', accepts: ['X'], refuses: [['', EMPTY]] },
  { path: `${ACH}.${name}.account.accountId`, kind: 'text', accepts: ['0'], refuses: [['', EMPTY]] },
];

describe('fields of an ACH event', () => {
  testFields(achExample, [
    { path: ACH, kind: 'object' },
    {
      path: `${ACH}.transactionId`,
      kind: 'text',
      accepts: ['1', 'x'.repeat(255), COIN.repeat(255)],
      refuses: [
        ['', EMPTY],
        ['x'.repeat(256), 'must be at most 255 characters'],
        [COIN.repeat(256), 'must be at most 255 characters'],
      ],
    },
    {
      path: `${ACH}.status`,
      kind: 'choice',
      accepts: ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'],
      refuses: [['processed', 'must be one of INITIATED, PROCESSED, NOTICE_OF_CHANGE, RETURN']],
    },
    {
      path: `${ACH}.transactionType`,
      kind: 'choice',
      accepts: ['CREDIT', 'DEBIT'],
      refuses: [['CREDIT ', 'must be one of CREDIT, DEBIT']],
    },
    {
      path: `${ACH}.standardEntryClass`,
      kind: 'text',
      accepts: ['PPD', 'ZZZ'],
      refuses: [
        ['', CODE],
        ['PP', CODE],
        ['PPDX', CODE],
        ['ppd', CODE],
        ['PPD\n', CODE],
        ['ÄÖÜ', CODE],
      ],
    },
    {
      path: `${ACH}.transferDate`,
      kind: 'text',
      optional: true,
      accepts: ['2024-02-29', '2000-02-29', '2026-12-31'],
      refuses: [
        ['', DATE],
        ['2025-11-20T00:00:00Z', DATE],
        ['26-11-20', DATE],
        ['2026-1-1', DATE],
        [' 2025-11-20', DATE],
        ['2025-11-20\n', DATE],
        ['2026-02-29', DAY],
        ['1900-02-29', DAY],
        ['2026-04-31', DAY],
        ['2026-13-01', DAY],
        ['2026-00-10', DAY],
        ['2026-01-00', DAY],
      ],
    },
    { path: `${ACH}.traceNumber`, kind: 'text', optional: true, accepts: ['', '021000020000001', 'odd'] },
    { path: `${ACH}.preNote`, kind: 'boolean', accepts: [true, false] },
    {
      path: `${ACH}.amount`,
      kind: 'text',
      accepts: ['0.0', '1250.00', '0001.5', '9'.repeat(40) + '.123456789'],
      refuses: ['', '1', '.50', '1.', '1,00', '-1.00', '+1.00', '1e3', ' 1.00', '1.00\n', '١.٢'].map(
        (value) => [value, AMOUNT] as const,
      ),
    },
    ...party('debtor'),
    ...party('creditor'),
    { path: `${ACH}.returnNOC`, kind: 'object', optional: true },
    {
      path: `${ACH}.returnNOC.type`,
      kind: 'choice',
      accepts: ['NOC', 'Return'],
      refuses: [['RETURN', 'must be one of NOC, Return']],
    },
    { path: `${ACH}.returnNOC.reasonCode`, kind: 'text', accepts: ['R01', 'new'], refuses: [['', EMPTY]] },
    { path: `${ACH}.returnNOC.reasonDescription`, kind: 'text', accepts: ['', COIN] },
  ]);
});
