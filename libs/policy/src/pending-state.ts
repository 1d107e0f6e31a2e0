import type { HoldReason, Ordering } from '#libs/contracts';

/** A worker without a heartbeat for this time counts as dead; workers report every 2 s. */
export const WORKER_GONE_AFTER_MS = 6_000;

/** The part of a pending delivery's row that decides its state. */
export interface PendingDelivery {
  readonly id: string;
  readonly consumerId: string;
  /** Null: the delivery has no payment and does not wait for another. */
  readonly paymentId: string | null;
  readonly nextAttemptAt: Date;
  readonly createdAt: Date;
  readonly pendingSince: Date;
  /** When PostgreSQL refused the record of an attempt that was sent; null: it did not. */
  readonly recordRefusedAt: Date | null;
  /** An earlier status of the same payment is pending for the same consumer. */
  readonly earlierIsPending: boolean;
}

/** Settings and runtime of a consumer that can hold its deliveries. */
export interface ConsumerPendingState {
  readonly ordering: Ordering;
  readonly pausedAt: Date | null;
  readonly secretFaultAt: Date | null;
  readonly circuitOpenedAt: Date | null;
}

/** The last heartbeat of a worker. */
export interface WorkerReport {
  readonly seenAt: Date;
  /** Deliveries that it was sending. */
  readonly sending: readonly string[];
  /** Consumers with deliveries that wait because of their limits. */
  readonly atLimit: readonly string[];
}

/** State of a pending delivery for operators. */
export type PendingState =
  | { readonly state: 'queued'; readonly nextAttemptAt: Date }
  | { readonly state: 'sending' }
  | { readonly state: 'held'; readonly reason: HoldReason; readonly since: Date };

/**
 * Returns the state of a pending delivery at a time. It is not stored: it follows from the delivery's row, its
 * consumer and the workers' reports. Of several reasons the first one is shown: a refused record, the order of the
 * payment, the consumer's pause, its secret, its circuit, its limits.
 *
 * The view `pending_delivery_states` (libs/database/src/schema/pending-state.ts) computes the same for lists and counts;
 * test/integration/pending-state.spec.ts compares the two.
 *
 * @param dispatcherPausedAt when sending was paused for all consumers; null: it is not paused
 */
export function pendingStateOf(
  delivery: PendingDelivery,
  consumer: ConsumerPendingState,
  dispatcherPausedAt: Date | null,
  workers: readonly WorkerReport[],
  now: Date,
): PendingState {
  const alive = workers.filter(({ seenAt }) => now.getTime() - seenAt.getTime() < WORKER_GONE_AFTER_MS);
  if (alive.some(({ sending }) => sending.includes(delivery.id))) return { state: 'sending' };

  const held = (reason: HoldReason, since: Date): PendingState => {
    return { state: 'held', reason, since: latest(since, delivery.pendingSince) };
  };
  if (delivery.recordRefusedAt !== null) return held('record', delivery.recordRefusedAt);
  if (consumer.ordering === 'payment' && delivery.paymentId !== null && delivery.earlierIsPending) {
    return held('order', delivery.createdAt);
  }
  const pausedAt = earliest(consumer.pausedAt, dispatcherPausedAt);
  if (pausedAt !== null) return held('paused', pausedAt);
  if (consumer.secretFaultAt !== null) return held('secret', consumer.secretFaultAt);
  if (consumer.circuitOpenedAt !== null) return held('circuit', consumer.circuitOpenedAt);
  const isDue = delivery.nextAttemptAt <= now;
  if (isDue && alive.some(({ atLimit }) => atLimit.includes(delivery.consumerId))) {
    return held('concurrency', delivery.nextAttemptAt);
  }
  return { state: 'queued', nextAttemptAt: delivery.nextAttemptAt };
}

const earliest = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

const latest = (one: Date, other: Date): Date => (one > other ? one : other);
