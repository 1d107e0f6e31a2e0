import type { FetchedDelivery, SentRequest } from '#libs/database';

/** A request without an answer for this long only waits: it costs memory and a socket, and takes no slot any more. */
export const SLOW_MS = 500;

/** What is kept of a delivery while its result is not recorded. */
export type StartedDelivery = Pick<FetchedDelivery, 'id' | 'dueAt' | 'eventType' | 'paymentId' | 'attempts'>;

interface Request {
  readonly delivery: StartedDelivery;
  readonly sinceMs: number;
  /** It may have left this process. */
  isSent: boolean;
}

/** One consumer's deliveries from their fetch until their result is recorded. Times are `performance.now()`. */
export class RequestsInFlight {
  /** In the order in which they were begun. */
  private readonly requests = new Map<string, Request>();

  get size(): number {
    return this.requests.size;
  }

  get ids(): string[] {
    return [...this.requests.keys()];
  }

  get dueTimes(): Date[] {
    return [...this.requests.values()].map(({ delivery }) => delivery.dueAt);
  }

  begin(delivery: StartedDelivery, nowMs: number): void {
    this.requests.set(delivery.id, { delivery, sinceMs: nowMs, isSent: false });
  }

  has(deliveryId: string): boolean {
    return this.requests.has(deliveryId);
  }

  noteSent(deliveryId: string): void {
    const request = this.requests.get(deliveryId);
    if (request !== undefined) request.isSent = true;
  }

  /** @returns the delivery, unless it was removed before */
  end(deliveryId: string): StartedDelivery | undefined {
    const request = this.requests.get(deliveryId);
    this.requests.delete(deliveryId);
    return request?.delivery;
  }

  /** Since when the oldest one is in flight; null: none is. */
  get oldestSinceMs(): number | null {
    const [oldest] = this.requests.values();
    return oldest?.sinceMs ?? null;
  }

  /** How many take a slot: one that has waited for long does not. */
  busy(nowMs: number): number {
    let slow = 0;
    for (const { sinceMs } of this.requests.values()) {
      if (nowMs - sinceMs < SLOW_MS) break;
      slow += 1;
    }
    return this.size - slow;
  }

  hasPayment({ eventType, paymentId }: Pick<FetchedDelivery, 'eventType' | 'paymentId'>): boolean {
    if (paymentId === null) return false;
    for (const { delivery } of this.requests.values())
      if (delivery.paymentId === paymentId && delivery.eventType === eventType) return true;
    return false;
  }

  /** The requests that may have been sent; their answers can be recorded for `holdMs` from now. */
  sent({ holdMs, isOrdered }: { readonly holdMs: number; readonly isOrdered: boolean }): SentRequest[] {
    return [...this.requests.values()]
      .filter(({ isSent }) => isSent)
      .map(({ delivery: { id, eventType, paymentId, attempts } }) => ({
        deliveryId: id,
        eventType,
        paymentId: isOrdered ? paymentId : null,
        attempts,
        holdMs,
      }));
  }
}
