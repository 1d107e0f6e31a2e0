export { ComeBackLater } from './come-back-later.js';
export {
  DELIVERIES_QUEUE,
  MOST_IN_JOB,
  type Deliverable,
  type DeliveryJobData,
  type DeliveryToEnqueue,
} from './delivery-job.js';
export { DeliveryQueue, type JobCounts } from './delivery-queue.js';
export { openQueueBackend, prepareQueueBackend, type QueueBackend } from './queue-backend.js';
export { QueueModule } from './queue.module.js';
export { WORKER_OPTIONS } from './worker-options.js';
