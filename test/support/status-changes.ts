import { randomUUID } from 'node:crypto';
import { achExample, wireExample } from '#libs/contracts';

/** The statuses of an ACH payment and of a wire payment, in order. */
export const ACH_LIFE = ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] as const;
export const WIRE_LIFE = ['Review', 'Exception', 'Send Ready', 'Complete'] as const;

export type AchStatus = (typeof ACH_LIFE)[number];

/** An ACH status change with every optional field; `company` is the debtor. */
export function achChange(company: string, transactionId: string, status: AchStatus = 'INITIATED') {
  const change = achExample({ transactionId, status });
  change.data.achEventInfo.debtor.achCompanyId = company;
  return change;
}

/** All status changes of an ACH payment. */
export function achLife(company: string, transactionId: string) {
  return ACH_LIFE.map((status) => achChange(company, transactionId, status));
}

/** All status changes of a wire payment, with every optional field; `company` is the originator. */
export function wireLife(company: string, paymentId: string) {
  return WIRE_LIFE.map((status) => {
    const change = wireExample({ paymentId, status });
    const { originalWire } = change.data.wireEventInfo;
    if (originalWire !== undefined) originalWire.originatorInfo.wireCompanyId = company;
    return change;
  });
}

/** All status changes of a new ACH payment and a new wire payment, with these account numbers. */
export function livesWithAccounts(
  company: string,
  [debtor, creditor, originator, beneficiary]: readonly [string, string, string, string],
): object[] {
  const ach = achLife(company, randomUUID());
  for (const { data } of ach) {
    data.achEventInfo.debtor.account.accountId = debtor;
    data.achEventInfo.creditor.account.accountId = creditor;
  }
  const wire = wireLife(company, randomUUID());
  for (const { data } of wire) {
    const { originalWire } = data.wireEventInfo;
    if (originalWire === undefined) continue;
    originalWire.originatorInfo.accountNumber = originator;
    originalWire.beneficiaryInfo.accountNumber = beneficiary;
  }
  return [...ach, ...wire];
}
