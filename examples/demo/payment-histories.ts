import { randomUUID } from 'node:crypto';
import { achExample, wireExample } from '#libs/contracts';

export interface PostedChange {
  readonly paymentId: string;
  readonly status: string;
  readonly change: object;
}

export const ACH_COMPANY = '1234567890';
export const WIRE_COMPANY = 'WIRECO-001';

/** The company of a payment, and the payment's number in the demo, which its references contain. */
interface PaymentOptions {
  readonly company?: string;
  readonly number?: number;
}

export const traceNumberOf = (number: number): string => `02100002${String(number).padStart(7, '0')}`;
const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** The statuses of an ACH payment from its initiation to its return; `company` is the debtor. */
export function achHistory(
  paymentId: string,
  now: Date,
  { company = ACH_COMPANY, number = 0 }: PaymentOptions = {},
): PostedChange[] {
  const { returnNOC: _none, ...example } = achExample({
    transactionId: paymentId,
    transferDate: dayOf(now),
    traceNumber: traceNumberOf(number),
  }).data.achEventInfo;
  const plain = { ...example, debtor: { ...example.debtor, achCompanyId: company } };
  const noc = { type: 'NOC', reasonCode: 'C01', reasonDescription: 'Incorrect DFI account number' } as const;
  const paymentReturn = {
    type: 'Return',
    reasonCode: 'R01',
    reasonDescription: 'Insufficient funds',
  } as const;
  return [
    { ...plain, status: 'INITIATED' },
    { ...plain, status: 'PROCESSED' },
    { ...plain, status: 'NOTICE_OF_CHANGE', returnNOC: noc },
    { ...plain, status: 'RETURN', returnNOC: paymentReturn },
  ].map((achEventInfo) => ({
    paymentId,
    status: achEventInfo.status,
    change: { eventType: 'ach.status', eventDateTime: now.toISOString(), data: { achEventInfo } },
  }));
}

/** The statuses of a wire payment from its review to its completion, with one exception; `company` is the originator. */
export function wireHistory(
  paymentId: string,
  now: Date,
  { company = WIRE_COMPANY, number = 0 }: PaymentOptions = {},
): PostedChange[] {
  const { exceptionInfo, originalWire, ...example } = wireExample({ paymentId }).data.wireEventInfo;
  delete example.IMAD;
  delete example.OMAD;
  const day = dayOf(now).replaceAll('-', '');
  const reference = (source: string): string => `${day}${source}${String(number).padStart(6, '0')}`;
  const [IMAD, OMAD] = [reference('MMQFMP0B'), reference('MMQFMP0C')];
  const plain = {
    ...example,
    originalWire: {
      ...originalWire,
      wireInfo: {
        paymentAmount: '25000.00',
        ...originalWire?.wireInfo,
        referenceId: `REF-${String(number).padStart(31, '0')}`,
        endToEndId: randomUUID(),
      },
      originatorInfo: { ...originalWire?.originatorInfo, wireCompanyId: company },
    },
  };
  return [
    { ...plain, status: 'Review' },
    { ...plain, status: 'Exception', exceptionInfo },
    { ...plain, status: 'Send Ready' },
    { ...plain, status: 'Complete', IMAD, OMAD },
  ].map((wireEventInfo) => ({
    paymentId,
    status: wireEventInfo.status,
    change: { eventType: 'wire.status', eventDateTime: now.toISOString(), data: { wireEventInfo } },
  }));
}
