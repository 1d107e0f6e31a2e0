import { afterEach, describe, expect, it } from '@jest/globals';
import { changedAt } from '../../testing/changed-at.js';
import { faultsOf } from '../../testing/faults-of.js';
import { testFields, type FieldRow } from '../../testing/field-table.js';
import { wireExample } from './examples.js';
import { admitWireStatuses } from './wire-statuses.js';

const WIRE = 'data.wireEventInfo';
const DETAIL = `${WIRE}.originalWire`;
const EMPTY = 'must not be empty';
const AMOUNT = 'must be digits, a point and two digits; below one dollar a leading 0 is required (0.50)';
/** One code point, two UTF-16 units. */
const COIN = '\u{1FA99}';

/** A text of at most `max` code points, at its boundary and beyond it. */
const upTo = (max: number, path: string, optional: boolean): FieldRow => ({
  path,
  kind: 'text',
  optional,
  accepts: ['x', 'x'.repeat(max), COIN.repeat(max)],
  refuses: [
    ['', EMPTY],
    ['x'.repeat(max + 1), `must be at most ${String(max)} characters`],
    [COIN.repeat(max + 1), `must be at most ${String(max)} characters`],
  ],
});

const accountType = (path: string): FieldRow => ({
  path,
  kind: 'choice',
  optional: true,
  accepts: ['D', 'S'],
  refuses: [['d', 'must be one of D, S']],
});

const address = (path: string): FieldRow[] =>
  ['addressLine', 'city', 'state', 'postalCode'].map((name) => ({
    path: `${path}.${name}`,
    kind: 'text',
    optional: true,
    accepts: ['', 'x'.repeat(500)],
  }));

describe('fields of a wire event', () => {
  testFields(wireExample, [
    { path: WIRE, kind: 'object' },
    upTo(255, `${WIRE}.paymentId`, true),
    {
      path: `${WIRE}.status`,
      kind: 'text',
      optional: true,
      accepts: ['Review', 'Send Ready', 'Reject', 'Error', 'Exception', 'Complete'],
      refuses: [
        ['Processed', 'must be one of Review, Send Ready, Reject, Error, Exception, Complete'],
        ['', 'must be one of Review, Send Ready, Reject, Error, Exception, Complete'],
      ],
    },
    {
      path: `${WIRE}.exceptionInfo`,
      kind: 'list',
      optional: true,
      accepts: [[]],
    },
    {
      path: `${WIRE}.exceptionInfo.0.exceptionCode`,
      kind: 'text',
      accepts: ['E'],
      refuses: [['', EMPTY]],
    },
    { path: `${WIRE}.exceptionInfo.0.exceptionDescription`, kind: 'text', accepts: ['', COIN] },
    { path: `${WIRE}.IMAD`, kind: 'text', optional: true, accepts: ['', 'x'.repeat(300)] },
    { path: `${WIRE}.OMAD`, kind: 'text', optional: true, accepts: [''] },
    { path: DETAIL, kind: 'object', optional: true },
    { path: `${DETAIL}.wireInfo`, kind: 'object' },
    {
      path: `${DETAIL}.wireInfo.paymentAmount`,
      kind: 'text',
      accepts: ['0.50', '0.00', '123456789.00'],
      refuses: [
        ['.50', AMOUNT],
        ['', AMOUNT],
        ['1', AMOUNT],
        ['1.5', AMOUNT],
        ['1.500', AMOUNT],
        ['-1.00', AMOUNT],
        ['1,000.00', AMOUNT],
        ['1.00\n', AMOUNT],
        ['1234567890.00', 'must be at most 12 characters'],
      ],
    },
    {
      path: `${DETAIL}.wireInfo.referenceId`,
      kind: 'text',
      optional: true,
      accepts: ['Not Provided', 'x'.repeat(35), COIN.repeat(35)],
      refuses: ['', 'not provided', 'Not Provided ', 'x'.repeat(34), 'x'.repeat(36)].map(
        (value) => [value, 'must be exactly 35 characters, or the text "Not Provided"'] as const,
      ),
    },
    {
      path: `${DETAIL}.wireInfo.endToEndId`,
      kind: 'text',
      optional: true,
      accepts: ['no UUID, but 36 characters long: yes', COIN.repeat(36)],
      refuses: ['', 'Not Provided', 'x'.repeat(35), 'x'.repeat(37)].map(
        (value) => [value, 'must be exactly 36 characters'] as const,
      ),
    },
    { path: `${DETAIL}.originatorInfo`, kind: 'object' },
    upTo(16, `${DETAIL}.originatorInfo.accountNumber`, false),
    accountType(`${DETAIL}.originatorInfo.accountType`),
    upTo(35, `${DETAIL}.originatorInfo.name`, false),
    upTo(12, `${DETAIL}.originatorInfo.wireCompanyId`, true),
    upTo(40, `${DETAIL}.originatorInfo.wireCompanyName`, true),
    { path: `${DETAIL}.beneficiaryInfo`, kind: 'object' },
    upTo(34, `${DETAIL}.beneficiaryInfo.accountNumber`, false),
    accountType(`${DETAIL}.beneficiaryInfo.accountType`),
    upTo(35, `${DETAIL}.beneficiaryInfo.name`, false),
    { path: `${DETAIL}.beneficiaryInfo.address`, kind: 'object', accepts: [{}] },
    ...address(`${DETAIL}.beneficiaryInfo.address`),
    { path: `${DETAIL}.beneficiaryInfo.institutionInfo`, kind: 'object', accepts: [{}] },
    { path: `${DETAIL}.beneficiaryInfo.institutionInfo.name`, kind: 'text', optional: true, accepts: [''] },
    {
      path: `${DETAIL}.beneficiaryInfo.institutionInfo.routingNumber`,
      kind: 'text',
      optional: true,
      accepts: ['021000021', '1'],
      refuses: [['', EMPTY]],
    },
    { path: `${DETAIL}.beneficiaryInfo.institutionInfo.address`, kind: 'object', optional: true },
    ...address(`${DETAIL}.beneficiaryInfo.institutionInfo.address`),
    {
      path: `${DETAIL}.remittanceInformation`,
      kind: 'text',
      optional: true,
      accepts: ['', 'x'.repeat(140), COIN.repeat(140)],
      refuses: [[COIN.repeat(141), 'must be at most 140 characters']],
    },
  ]);

  it('reports each broken rule of a wire’s paymentAmount', () => {
    const change = changedAt(wireExample(), `${DETAIL}.wireInfo.paymentAmount`, 'twelve dollars');
    expect(faultsOf(change)).toEqual([
      `${DETAIL}.wireInfo.paymentAmount: must be at most 12 characters`,
      `${DETAIL}.wireInfo.paymentAmount: ${AMOUNT}`,
    ]);
  });

  it.each([
    [['E1'], ['[0]: must be an object']],
    [[[]], ['[0]: must be an object']],
    [[[{ exceptionCode: 'E1', exceptionDescription: '' }]], ['[0]: must be an object']],
    [
      [null, { exceptionCode: 1, exceptionDescription: '' }, true, { exceptionCode: 'E1' }],
      [
        '[0]: must be an object',
        '[2]: must be an object',
        '[1].exceptionCode: must be a string',
        '[3].exceptionDescription: is required',
      ],
    ],
  ])('reports every invalid entry of exceptionInfo by its index: %j', (exceptionInfo, faults) => {
    const change = changedAt(wireExample(), `${WIRE}.exceptionInfo`, exceptionInfo);
    expect(faultsOf(change)).toEqual(faults.map((fault) => `${WIRE}.exceptionInfo${fault}`));
  });

  it('accepts a wire event without fields', () => {
    expect(faultsOf(changedAt(wireExample(), WIRE, {}))).toEqual([]);
  });
});

describe('admitWireStatuses', () => {
  afterEach(() => admitWireStatuses([]));

  it('admits configured wire statuses in addition to the six of the contract', () => {
    admitWireStatuses(['Processed']);
    expect(faultsOf(changedAt(wireExample(), `${WIRE}.status`, 'Processed'))).toEqual([]);
    expect(faultsOf(changedAt(wireExample(), `${WIRE}.status`, 'Complete'))).toEqual([]);
    expect(faultsOf(changedAt(wireExample(), `${WIRE}.status`, 'Done'))).toEqual([
      `${WIRE}.status: must be one of Review, Send Ready, Reject, Error, Exception, Complete, Processed`,
    ]);
  });
});
