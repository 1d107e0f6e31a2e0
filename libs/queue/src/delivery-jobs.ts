import type { BulkJobOptions } from 'bullmq';
import { randomUUID } from 'node:crypto';

/** The one queue: which consumers have something to do, and when. */
export const DELIVERIES_QUEUE = 'deliveries';

/**
 * Jobs that are added in one call at most. More cost no less: 200 take 5 ms of this process on Redis, and 35 ms of
 * PostgreSQL, where each deduplication id takes a lock until the call ends: 12,000 at once exhaust the lock table.
 */
export const MOST_IN_BULK = 200;

/** PostgreSQL has the rest, and Redis no payload. */
export interface DeliveryJobData {
  readonly consumerId: string;
}

/** `deliver`: a worker opens a session for the consumer. `due`: a timer, which then adds the consumer's `deliver`. */
export type DeliveryJobName = 'deliver' | 'due';

/** When a consumer has something to do. */
export interface ConsumerTimer {
  readonly consumerId: string;
  /** From now, in milliseconds. */
  readonly inMs: number;
}

/** As BullMQ's `addBulk` takes it. */
export interface JobToAdd {
  readonly name: DeliveryJobName;
  readonly data: DeliveryJobData;
  readonly opts: BulkJobOptions;
}

/** One attempt: what has to come back is added anew, and a lost job is found by reconcile. No stack traces in the queue. */
const JOB_OPTIONS = {
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
  // A session serves many deliveries: it belongs to no single trace.
  telemetry: { omitContext: true },
} satisfies BulkJobOptions;

/**
 * Opens a session. While it waits, another add changes nothing. While it is active, any number of adds bring it back
 * once, when it ends. BullMQ's own ids restart when Redis is emptied, and would then meet old ones, hence UUIDs.
 */
export const deliverJob = (consumerId: string): JobToAdd => ({
  name: 'deliver',
  data: { consumerId },
  opts: {
    ...JOB_OPTIONS,
    jobId: randomUUID(),
    deduplication: { id: `deliver:${consumerId}`, keepLastIfActive: true },
  },
});

/** The consumer's one timer: replaces the one that is delayed, and follows the one that is being processed. */
export const dueJob = ({ consumerId, inMs }: ConsumerTimer): JobToAdd => ({
  name: 'due',
  data: { consumerId },
  opts: {
    ...JOB_OPTIONS,
    jobId: randomUUID(),
    delay: Math.max(1, Math.ceil(inMs)),
    deduplication: { id: `due:${consumerId}`, replace: true, keepLastIfActive: true },
  },
});
