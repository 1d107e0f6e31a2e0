import type { WorkerOptions } from 'bullmq';

/**
 * BullMQ's options for a worker. A job is a session, and its lock is the worker's lease, renewed every 1.5 to 3 s.
 * Another worker gets a dead worker's sessions after 5 to 8 s, any number of times; with BullMQ's limit of 1 a job
 * would be dropped. The worker is started explicitly, once the process is ready.
 *
 * @param concurrency maximum number of sessions at a time
 */
export const workerOptions = (concurrency: number): Omit<WorkerOptions, 'connection'> => ({
  autorun: false,
  concurrency,
  lockDuration: 6_000,
  stalledInterval: 2_000,
  maxStalledCount: 1_000_000_000,
  // Maximum wait of an idle worker in one call, in seconds.
  drainDelay: 1,
  // Wait after an error of the queue, such as a failover; BullMQ's default is 15 s.
  runRetryDelay: 2_000,
});
