export {
  DELIVERIES_QUEUE,
  type ConsumerTimer,
  type DeliveryJobData,
  type DeliveryJobName,
} from './delivery-jobs.js';
export {
  DispatchQueue,
  QueueUnavailableError,
  type DeliveriesQueue,
  type JobCounts,
} from './dispatch-queue.js';
export { openQueueBackend, prepareQueueBackend } from './open-queue-backend.js';
export type { QueueBackend } from './queue-backend.js';
export { JobQueueModule } from './queue.module.js';
export type { QueueOutageLog } from './queue-outage-log.js';
export { LOCK_MS, workerOptions } from './worker-options.js';
