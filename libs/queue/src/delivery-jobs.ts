import type { BulkJobOptions } from 'bullmq';
import { randomUUID } from 'node:crypto';

/** Name of the only queue. Its jobs are consumers with work, now or later. */
export const DELIVERIES_QUEUE = 'deliveries';

/**
 * Maximum number of jobs added in one call. Larger calls save nothing: 200 jobs take 5 ms of this process on Redis,
 * and 35 ms of PostgreSQL, which locks each deduplication id until the call ends: 12,000 exhaust its lock table.
 */
export const MAX_JOBS_PER_CALL = 200;

/** Content of a job. PostgreSQL has everything else, so Redis has no payload. */
export interface DeliveryJobData {
  readonly consumerId: string;
}

/** `deliver`: a worker opens a session for the consumer. `due`: a timer, which adds the consumer's `deliver` job. */
export type DeliveryJobName = 'deliver' | 'due';

/** The time at which a consumer next has work. */
export interface ConsumerTimer {
  readonly consumerId: string;
  /** From now, in milliseconds. */
  readonly inMs: number;
}

/** A job in the form of BullMQ's `addBulk`. */
export interface JobToAdd {
  readonly name: DeliveryJobName;
  readonly data: DeliveryJobData;
  readonly opts: BulkJobOptions;
}

/** A job has one attempt: later work is a new job, and reconcile replaces lost jobs. No stack traces are stored. */
const JOB_OPTIONS = {
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
  // A session serves many deliveries, so it belongs to no single trace.
  telemetry: { omitContext: true },
} satisfies BulkJobOptions;

/**
 * The job that opens a session. While it waits, further adds change nothing. While it is active, they make one more
 * job when it ends. Ids are UUIDs: BullMQ's own numbers restart when Redis is emptied, and would repeat old ones.
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

/** The consumer's only timer: it replaces one that is delayed, and follows one that is being processed. */
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
