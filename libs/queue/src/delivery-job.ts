import type { JobsOptions } from 'bullmq';

/** The queue of deliveries; where there are several, what their names begin with. */
export const DELIVERIES_QUEUE = 'deliveries';

/**
 * All that a job holds: PostgreSQL has the rest, and Redis no payload. What becomes due together shares a job, since a
 * job costs the queue the same whatever it holds.
 */
export interface DeliveryJobData {
  readonly deliveries: readonly Deliverable[];
}

/** A delivery that a worker is to take. */
export interface Deliverable {
  readonly deliveryId: string;
  /** Grows whenever it is let go anew, since BullMQ ignores an `add` whose id still exists. */
  readonly round: number;
}

/** A delivery that is to get a job. */
export interface DeliveryToEnqueue extends Deliverable {
  /** Says which shard its job goes to. */
  readonly consumerId: string;
  /** Until it is due; at once unless told. */
  readonly dueInMs?: number;
  /** Its event's, while that is traced. */
  readonly traceparent?: string | undefined;
}

/**
 * Deliveries that may share a job. Beyond this the queue's part of a delivery's cost is small, and what a dying worker
 * had fetched and not yet taken stays so; several workers get their shares of what comes at once.
 */
export const MOST_IN_JOB = 20;

/** BullMQ reads `:` in an id as a separator of its own, hence the dash. */
export const jobIdOf = ({ deliveryId, round }: Deliverable): string => `${deliveryId}-${String(round)}`;

/** Of several: not the id that one of them has alone. */
export const sharedJobIdOf = (first: Deliverable, count: number): string =>
  `${jobIdOf(first)}-and-${String(count - 1)}`;

/**
 * The retry budget is counted in PostgreSQL; BullMQ's is only a rail that is never reached. A finished job is
 * removed at once: as long as it existed its id could not be added again. No stack traces in the queue.
 */
export const JOB_OPTIONS: JobsOptions = {
  attempts: 1_000_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};
