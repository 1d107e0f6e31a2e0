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
