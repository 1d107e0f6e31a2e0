import { randomUUID } from 'node:crypto';
import { achExample, wireExample } from '#libs/contracts';

/** The statuses of an ACH payment's life and of a wire's, in their order. */
export const ACH_LIFE = ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] as const;
export const WIRE_LIFE = ['Review', 'Exception', 'Send Ready', 'Complete'] as const;

export type AchStatus = (typeof ACH_LIFE)[number];

/** An ACH status change with every optional field, debited to the company. */
export function achChange(company: string, transactionId: string, status: AchStatus = 'INITIATED') {
  const change = achExample({ transactionId, status });
  change.data.achEventInfo.debtor.achCompanyId = company;
  return change;
}

/** An ACH payment's whole life. */
export function achLife(company: string, transactionId: string) {
  return ACH_LIFE.map((status) => achChange(company, transactionId, status));
}

/** A wire's whole life, ordered by the company; every optional field each time. */
export function wireLife(company: string, paymentId: string) {
  return WIRE_LIFE.map((status) => {
    const change = wireExample({ paymentId, status });
    const { originalWire } = change.data.wireEventInfo;
    if (originalWire !== undefined) originalWire.originatorInfo.wireCompanyId = company;
    return change;
  });
}

/** Both lives, of new payments, with these account numbers: of an ACH's debtor and creditor, a wire's originator and beneficiary. */
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
