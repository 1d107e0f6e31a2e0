import type { EventType } from '#libs/contracts';

/** What one event adds to the row of its payment. */
export interface PaymentClaim {
  readonly producer: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

/** What a batch of events adds to the row of one payment. */
export interface PaymentShare {
  readonly eventType: EventType;
  readonly paymentId: string;
  statuses: number;
  newestStatus: string | null;
  readonly companyIds: Set<string>;
  readonly consumerIds: Set<string>;
  readonly producers: Set<string>;
}

/** Combines the claims of each payment into one share; a claim without a payment is omitted. */
export function sharesOf(claims: readonly PaymentClaim[]): PaymentShare[] {
  const shares = new Map<string, PaymentShare>();
  for (const { eventType, paymentId, status, companyIds, consumerIds, producer } of claims) {
    if (paymentId === null) continue;
    const key = `${eventType} ${paymentId}`;
    const share = shares.get(key) ?? {
      eventType,
      paymentId,
      statuses: 0,
      newestStatus: null,
      companyIds: new Set(),
      consumerIds: new Set(),
      producers: new Set(),
    };
    shares.set(key, share);
    share.statuses += 1;
    share.newestStatus = status ?? share.newestStatus;
    for (const id of companyIds) share.companyIds.add(id);
    for (const id of consumerIds) share.consumerIds.add(id);
    share.producers.add(producer);
  }
  return [...shares.values()];
}
