export { ComeBackLater } from './come-back-later.js';
export {
  MOST_IN_JOB,
  type Deliverable,
  type DeliveryJobData,
  type DeliveryToEnqueue,
} from './delivery-job.js';
export { DeliveryQueue, type JobCounts } from './delivery-queue.js';
export { DeliveryWorkers } from './delivery-workers.js';
export { openQueueBackend, prepareQueueBackend, type QueueBackend } from './queue-backend.js';
export { QueueModule } from './queue.module.js';
export { shardNames } from './shards.js';
export { workerOptions } from './worker-options.js';
