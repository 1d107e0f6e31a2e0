import type { JobsOptions } from 'bullmq';

/** The queue of deliveries; one for now, its name the same on both backends. */
export const DELIVERIES_QUEUE = 'deliveries';

/** All that a job holds: PostgreSQL has the rest, and Redis no payload. */
export interface DeliveryJobData {
  readonly deliveryId: string;
}

/** A delivery that is to get a job. */
export interface DeliveryToEnqueue {
  readonly deliveryId: string;
  /** Grows with every release, since BullMQ ignores an `add` whose id still exists. */
  readonly round: number;
  /** Until it is due; at once unless told. */
  readonly dueInMs?: number;
}

/** BullMQ reads `:` in an id as a separator of its own, hence the dash. */
export const jobIdOf = (delivery: DeliveryToEnqueue): string =>
  `${delivery.deliveryId}-${String(delivery.round)}`;

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
