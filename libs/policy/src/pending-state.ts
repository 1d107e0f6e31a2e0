import type { HoldReason, Ordering } from '#libs/contracts';

/** A worker that has not reported for longer than this is taken for gone; it reports every 2 s. */
export const WORKER_GONE_AFTER_MS = 6_000;

/** A pending delivery's row, as far as its standing depends on it. */
export interface PendingDelivery {
  readonly id: string;
  readonly consumerId: string;
  /** Null: it belongs to no payment, and waits for nothing. */
  readonly paymentId: string | null;
  readonly nextAttemptAt: Date;
  readonly createdAt: Date;
  readonly pendingSince: Date;
  /** An earlier status of the same payment is pending for the same consumer. */
  readonly earlierIsPending: boolean;
}

/** What holds a consumer's deliveries, of its settings and its runtime. */
export interface ConsumerPendingState {
  readonly ordering: Ordering;
  readonly pausedAt: Date | null;
  readonly secretFaultAt: Date | null;
  readonly circuitOpenedAt: Date | null;
}

/** What a worker said of itself with its last heartbeat. */
export interface WorkerReport {
  readonly seenAt: Date;
  /** Deliveries that it was sending. */
  readonly sending: readonly string[];
  /** Consumers whose limits kept deliveries waiting. */
  readonly atLimit: readonly string[];
}

/** What an operator sees of a pending delivery. */
export type PendingState =
  | { readonly state: 'queued'; readonly nextAttemptAt: Date }
  | { readonly state: 'sending' }
  | { readonly state: 'held'; readonly reason: HoldReason; readonly since: Date };

/**
 * Where a pending delivery stands at a moment. Nothing of it is stored: it follows from the delivery's row, its consumer
 * and what the workers report. Of several reasons the first of this order is the one that is told: the payment's own
 * order, what stops the whole consumer (paused, secret, circuit), its limits.
 *
 * The view `pending_delivery_states` (libs/database/src/schema/pending-state.ts) says the same for lists and counts, and
 * test/integration/pending-state.spec.ts holds the two against each other.
 *
 * @param dispatcherPausedAt since when nothing is sent to anybody; null while it is
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
