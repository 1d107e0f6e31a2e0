import type { WorkerOptions } from 'bullmq';

/** A job stays locked for this long, unless its worker renews the lock: then another worker may get it. */
export const LOCK_MS = 6_000;

/** How often each worker looks for jobs whose lock has run out. */
export const STALLED_EVERY_MS = 2_000;

/** A job may lose its worker any number of times; with BullMQ's limit of 1 it would be dropped. */
export const MOST_LOST = 1_000_000_000;

/**
 * BullMQ's options for a worker. A job is a session, and its lock is the worker's lease, renewed every 1.5 to 3 s.
 * Another worker gets a dead worker's sessions after 5 to 8 s. The worker is started explicitly, once the process is ready.
 *
 * @param concurrency maximum number of sessions at a time
 */
export const workerOptions = (concurrency: number): Omit<WorkerOptions, 'connection'> => ({
  autorun: false,
  concurrency,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_EVERY_MS,
  maxStalledCount: MOST_LOST,
  // Maximum wait of an idle worker in one call, in seconds.
  drainDelay: 1,
  // Wait after an error of the queue, such as a failover; BullMQ's default is 15 s.
  runRetryDelay: 2_000,
});
