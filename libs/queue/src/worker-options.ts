import type { WorkerOptions } from 'bullmq';
import { backoff } from './come-back-later.js';

/**
 * Jobs that a worker has fetched and not yet taken from PostgreSQL: enough that there is always one at hand, few, since
 * what they hold waits for this worker's slots while another's may be free.
 */
const JOBS_AT_ONCE = 16;

/** Of each shard at least so many, however many there are. */
const LEAST_OF_A_SHARD = 2;

/**
 * How a worker consumes. A job ends when its deliveries are taken; how many are being sent at once is the worker's own
 * affair. A dead worker's jobs are noticed within `lockDuration + stalledInterval`; they are
 * handed out again without limit, since PostgreSQL counts the attempts. It is started by hand once the process
 * is ready.
 */
export const workerOptions = (shards: number): Omit<WorkerOptions, 'connection'> => ({
  autorun: false,
  concurrency: Math.max(LEAST_OF_A_SHARD, Math.ceil(JOBS_AT_ONCE / shards)),
  lockDuration: 15_000,
  stalledInterval: 7_500,
  maxStalledCount: 1_000_000,
  // After a fault of the queue's, such as a failover; BullMQ itself would wait for 15 s.
  runRetryDelay: 2_000,
  settings: { backoffStrategy: backoff },
});
