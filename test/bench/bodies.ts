import { achExample, wireExample } from '#libs/contracts';

/** Events between two statuses of one payment. */
export const PAYMENTS_AT_ONCE = 4_000;
const ACH = ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] as const;
const WIRE = ['Review', 'Exception', 'Send Ready', 'Complete'] as const;

const SERIAL = 'SERIAL-OF-THE-PAYMENT';
const COMPANY = 'COMPANY-OF-THE-PAYMENT';
const AMOUNT = 'AMOUNT-OF-THE-PAYMENT';

/** A status change as JSON, split at its variable parts. */
const template = (change: object): string[] =>
  JSON.stringify(change).split(new RegExp(`(${SERIAL}|${COMPANY}|${AMOUNT})`));

const ach = ACH.map((status) => {
  const change = achExample({ transactionId: SERIAL, traceNumber: SERIAL, amount: AMOUNT, status });
  change.data.achEventInfo.debtor.achCompanyId = COMPANY;
  if (status === 'INITIATED' || status === 'PROCESSED') delete change.data.achEventInfo.returnNOC;
  return template(change);
});

const wires = WIRE.map((status) => {
  const change = wireExample({ paymentId: SERIAL, IMAD: SERIAL, status });
  const { originalWire } = change.data.wireEventInfo;
  if (originalWire !== undefined) {
    originalWire.originatorInfo.wireCompanyId = COMPANY;
    originalWire.wireInfo.paymentAmount = AMOUNT;
  }
  if (status !== 'Exception') delete change.data.wireEventInfo.exceptionInfo;
  return template(change);
});

/**
 * The `n`th status change of a run, as JSON: complete ACH (two of three) and wire envelopes, each payment with four
 * statuses, the companies in turn.
 */
export function bodyOf(n: number, run: string, companies: readonly string[]): string {
  const turn = Math.floor(n / (PAYMENTS_AT_ONCE * ACH.length));
  const payment = turn * PAYMENTS_AT_ONCE + (n % PAYMENTS_AT_ONCE);
  const status = Math.floor(n / PAYMENTS_AT_ONCE) % ACH.length;
  const templates = payment % 3 === 2 ? wires : ach;
  const company = companies[payment % companies.length] ?? '';
  let text = '';
  for (const part of templates[status] ?? []) {
    if (part === SERIAL) text += `${run}-${String(payment)}`;
    else if (part === COMPANY) text += company;
    else if (part === AMOUNT) text += `${String(100 + (payment % 9_973))}.00`;
    else text += part;
  }
  return text;
}
