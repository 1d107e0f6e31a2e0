export { ApiKeysRepository, type ApiKeyRow } from './access/api-keys.repository.js';
export type { AuditEntry } from './access/audit.js';
export {
  claim,
  firstRequests,
  type Claim,
  type Claimed,
  type ClaimedPayment,
  type FirstRequest,
} from './accept/claim.js';
export { insertAccepted, type NewDelivery, type NewEvent } from './accept/insert-accepted.js';
export { openDatabase, type Database } from './connection.js';
export {
  ConsumersRepository,
  ExternalIdTakenError,
  type ConsumerChange,
  type ConsumerRow,
  type NewConsumer,
  type RoutedConsumer,
} from './consumers/consumers.repository.js';
export { DATABASE } from './database-token.js';
export { DatabaseModule } from './database.module.js';
export {
  asTheOnlyOne,
  cancelOfRemovedConsumers,
  leasesRunOut,
  overdue,
  releaseOrphans,
  type DueDelivery,
} from './delivering/open-work.js';
export { putBack } from './delivering/put-back.js';
export { record, type AttemptResult, type Recorded } from './delivering/record.js';
export { releaseNextInLane, type Lane, type Released } from './delivering/release-next-in-lane.js';
export { take, type NotTaken, type Taken } from './delivering/take.js';
export { DatabaseAwayError, isAway, isRefusal } from './faults.js';
export { MicroBatch } from './micro-batch.js';
export { migrateToLatest } from './migrate.js';
export { ensurePartitions, firstIdAt } from './partitions.js';
export {
  DeliveriesRepository,
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
} from './reading/deliveries.repository.js';
export { EventsRepository, type EventFilter, type EventRow } from './reading/events.repository.js';
