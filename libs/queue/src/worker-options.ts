import type { WorkerOptions } from 'bullmq';

/**
 * How a worker consumes. A job is a session, and its lock the worker's lease: renewed every 1.5 to 3 s, and a dead
 * worker's sessions are another's after 5 to 8 s. They are handed out again without limit; with BullMQ's limit of 1 a
 * job would be dropped. Started explicitly, once the process is ready.
 *
 * @param concurrency sessions at once
 */
export const workerOptions = (concurrency: number): Omit<WorkerOptions, 'connection'> => ({
  autorun: false,
  concurrency,
  lockDuration: 6_000,
  stalledInterval: 2_000,
  maxStalledCount: 1_000_000_000,
  // In seconds: how long an idle worker waits in one call.
  drainDelay: 1,
  // After a fault of the queue's, such as a failover; BullMQ itself would wait for 15 s.
  runRetryDelay: 2_000,
});
