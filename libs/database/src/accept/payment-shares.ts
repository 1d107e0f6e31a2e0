import type { EventType } from '#libs/contracts';

/** What one event brings to its payment. */
export interface PaymentClaim {
  readonly producer: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

/** What a batch brings to one payment. */
export interface PaymentShare {
  readonly eventType: EventType;
  readonly paymentId: string;
  statuses: number;
  newestStatus: string | null;
  readonly companyIds: Set<string>;
  readonly consumerIds: Set<string>;
  readonly producers: Set<string>;
}

/** Claims by payment. */
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
