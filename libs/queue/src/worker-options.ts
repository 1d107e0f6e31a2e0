import type { WorkerOptions } from 'bullmq';
import { backoff } from './come-back-later.js';

/**
 * How a worker consumes. A dead worker's jobs are noticed within `lockDuration + stalledInterval`; they are
 * handed out again without limit, since PostgreSQL counts the attempts. It is started by hand once the process
 * is ready, with the concurrency of the configuration.
 */
export const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  autorun: false,
  lockDuration: 15_000,
  stalledInterval: 7_500,
  maxStalledCount: 1_000_000,
  settings: { backoffStrategy: backoff },
};
