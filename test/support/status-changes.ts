import { randomUUID } from 'node:crypto';
import { achExample, wireExample } from '#libs/contracts';

/** The statuses of an ACH payment and of a wire payment, in order. */
export const ACH_SEQUENCE = ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] as const;
export const WIRE_SEQUENCE = ['Review', 'Exception', 'Send Ready', 'Complete'] as const;

export type AchStatus = (typeof ACH_SEQUENCE)[number];

/** An ACH status change with every optional field; `company` is the debtor. */
export function achChange(company: string, transactionId: string, status: AchStatus = 'INITIATED') {
  const change = achExample({ transactionId, status });
  change.data.achEventInfo.debtor.achCompanyId = company;
  return change;
}

/** All status changes of an ACH payment. */
export function achSequence(company: string, transactionId: string) {
  return ACH_SEQUENCE.map((status) => achChange(company, transactionId, status));
}

/** All status changes of a wire payment, with every optional field; `company` is the originator. */
export function wireSequence(company: string, paymentId: string) {
  return WIRE_SEQUENCE.map((status) => {
    const change = wireExample({ paymentId, status });
    const { originalWire } = change.data.wireEventInfo;
    if (originalWire !== undefined) originalWire.originatorInfo.wireCompanyId = company;
    return change;
  });
}

/** All status changes of a new ACH payment and a new wire payment, with these account numbers. */
export function sequencesWithAccounts(
  company: string,
  [debtor, creditor, originator, beneficiary]: readonly [string, string, string, string],
): object[] {
  const ach = achSequence(company, randomUUID());
  for (const { data } of ach) {
    data.achEventInfo.debtor.account.accountId = debtor;
    data.achEventInfo.creditor.account.accountId = creditor;
  }
  const wire = wireSequence(company, randomUUID());
  for (const { data } of wire) {
    const { originalWire } = data.wireEventInfo;
    if (originalWire === undefined) continue;
    originalWire.originatorInfo.accountNumber = originator;
    originalWire.beneficiaryInfo.accountNumber = beneficiary;
  }
  return [...ach, ...wire];
}
