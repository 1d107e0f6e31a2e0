export { ApiKeysRepository, type ApiKeyRow } from './access/api-keys.repository.js';
export { recordAudit, type AuditEntry } from './access/audit.js';
export { AuditRepository, type AuditFilter, type AuditRow } from './access/audit.repository.js';
export { admitNow, type SentOn } from './acts/admit-now.js';
export { cancelDelivery, type Cancelled } from './acts/cancel-delivery.js';
export { retryDelivery, type Retried } from './acts/retry-delivery.js';
export { retryTransient } from './acts/retry-transient.js';
export { insertCopies, lockEventToSend, type EventToSend } from './acts/send-event.js';
export type { BulkFilter } from './bulk/bulk-actions.table.js';
export {
  BulkActionsRepository,
  type BulkActionRow,
  type StartedBulkAction,
} from './bulk/bulk-actions.repository.js';
export { stepBulkAction, type BulkStepDone, type BulkStepFailed } from './bulk/step-bulk-action.js';
export { CertificatesRepository, type CertificateInUse } from './certificates/certificates.repository.js';
export { claim, firstRequests, type Claim } from './accept/claim.js';
export { addRecipients, insertAccepted, type Inserted, type NewEvent } from './accept/insert-accepted.js';
export { insertAtOnce } from './accept/insert-at-once.js';
export { type ClaimedPayment } from './accept/lock-payments.js';
export { ownPast, type PaymentPast } from './accept/own-past.js';
export { openDatabase, type Database } from './connection.js';
export {
  ConsumersRepository,
  ExternalIdTakenError,
  type ConsumerChange,
  type ConsumerRow,
  type ConsumerSettings,
  type NewConsumer,
  type RoutedConsumer,
} from './consumers/consumers.repository.js';
export {
  activateCredentials,
  addCredentials,
  credentialVersions,
  dropCredentials,
  type CredentialChange,
  type CredentialVersion,
  type SealedCredentials,
} from './credentials/credential-versions.js';
export { everySealed, replaceSealed, type SealedVersion } from './credentials/sealed-credentials.js';
export { DATABASE, PIPELINE, READING } from './database-token.js';
export { DatabaseModule, PIPELINE_SETTINGS } from './database.module.js';
export { expireHeld } from './delivering/expire-held.js';
export { putBack } from './delivering/put-back.js';
export { pipelined } from './pipelined.js';
export { statementsIn, type Statement } from './together.js';
export { record, type AttemptResult, type NextStep, type Recorded } from './delivering/record.js';
export { take, type NotTaken } from './delivering/take.js';
export type { Taken } from './delivering/taken.js';
export { keepHealth, type ConsumerObservations, type Transition } from './gates/health.js';
export { pauseConsumer, pauseDispatcher, resumeConsumer, resumeDispatcher } from './gates/pause.js';
export { releaseForFreed, releaseForProbes, topUp } from './gates/release-held.js';
export { holdForSecret, mendSecretFault, secretFaults } from './gates/secret-fault.js';
export {
  leasesRunOut,
  overdue,
  queuedFrom,
  type PlaceInQueue,
  type QueuedPage,
} from './reconciling/lost-jobs.js';
export { patrolLanes } from './reconciling/patrol-lanes.js';
export { rememberedMarker, rememberMarker } from './reconciling/queue-marker.js';
export { cancelOfRemovedConsumers, makeMissingGates } from './reconciling/removed-consumers.js';
export { dropOldPartitions, trimIdempotencyKeys, trimPayments } from './retention.js';
export { SchedulesRepository, type ClaimedRun } from './scheduling/schedules.repository.js';
export {
  DatabaseAwayError,
  isAway,
  isRefusal,
  isTooSlow,
  isTransient,
  noteConnectionFault,
} from './faults.js';
export { MicroBatch } from './micro-batch.js';
export { migrateToLatest } from './migrate.js';
export { pingDatabase } from './ping.js';
export { ensurePartitions, firstIdAt } from './partitions.js';
export type { Listed } from './reading/chunks.js';
export { DeliveriesRepository, type AttemptRow, type DeliveryRow } from './reading/deliveries.repository.js';
export { failuresByCause, type FailureGroup } from './reading/failures.js';
export {
  EventsRepository,
  type EventFilter,
  type EventRow,
  type ListedEventRow,
} from './reading/events.repository.js';
export { NotificationsRepository, type NotificationFilter } from './reading/notifications.repository.js';
export {
  PaymentsRepository,
  type ListedPaymentRow,
  type PaymentFilter,
} from './reading/payments.repository.js';
export {
  QueueStateRepository,
  type ConsumerFacts,
  type Counted,
  type HoldCount,
} from './reading/queue-state.repository.js';
export {
  StatisticsRepository,
  type MinuteRow,
  type StatsQuery,
  type StepRow,
} from './statistics/statistics.repository.js';
export { WorkersRepository, type WorkerRow } from './statistics/workers.repository.js';
export { untilPostgresAnswers } from './until-postgres-answers.js';
