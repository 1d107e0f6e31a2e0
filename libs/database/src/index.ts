export { DatabaseModule, PIPELINE_SETTINGS } from './database.module.js';
export { ApiKeysRepository, type ApiKeyRow, type LiveApiKey } from './access/api-keys.repository.js';
export { SignInLinksRepository, type SignInLinkRow } from './access/sign-in-links.repository.js';
export { recordAudit, type AuditEntry } from './audit/audit.js';
export { AuditRepository, type AuditFilter, type AuditRow } from './audit/audit.repository.js';
export {
  BulkActionsRepository,
  type BulkActionRow,
  type StartedBulkAction,
} from './bulk-actions/bulk-actions.repository.js';
export {
  BULK_WORK,
  stepBulkAction,
  type BulkStepDone,
  type BulkStepFailed,
} from './bulk-actions/step-bulk-action.js';
export { ChannelMessagesRepository, type DueMessage } from './channels/channel-messages.repository.js';
export { ChannelSummariesRepository, type DueSummary } from './channels/channel-summaries.repository.js';
export {
  ConsumerAlertsRepository,
  type AlertChannel,
  type AlertChoice,
  type DueAlert,
} from './channels/consumer-alerts.repository.js';
export {
  ChannelsRepository,
  everySealedChannel,
  replaceSealedChannel,
  type ChannelRow,
} from './channels/channels.repository.js';
export { awaitPostgres, pingDatabase, untilPostgresAnswers } from './connection/await-postgres.js';
export {
  ConsumersReadingDatabase,
  Database,
  openConsumersReading,
  openDatabase,
  openReading,
  Pipeline,
  ReadingDatabase,
  type Queryable,
  type Statement,
  type Statements,
  type Transaction,
} from './connection/connection.js';
export {
  codeOf,
  DatabaseUnavailableError,
  isRefusal,
  isTooSlow,
  isTransient,
  isUnavailable,
  noteConnectionFault,
  retryTransient,
} from './connection/faults.js';
export { MicroBatch } from './connection/micro-batch.js';
export {
  CertificatesRepository,
  ServerCertificateStore,
  type CertificateInUse,
} from './consumers/certificates.repository.js';
export {
  ConsumersRepository,
  ExternalIdTakenError,
  NO_VERSION,
  type ConsumerChange,
  type ConsumerRow,
  type ConsumerSettings,
  type NewConsumer,
} from './consumers/consumers.repository.js';
export {
  activateCredentials,
  addCredentials,
  credentialVersions,
  dropCredentials,
  type CredentialChange,
  type CredentialVersion,
  type SealedCredentials,
} from './consumers/credential-versions.js';
export {
  pauseByAnswer,
  pauseConsumer,
  PAUSED_BY_ANSWER,
  pauseSending,
  resumeConsumer,
  resumeExpiredPauses,
  resumeSending,
} from './consumers/pause.js';
export { everySealed, replaceSealed, type SealedVersion } from './consumers/sealed-credentials.js';
export { clearSecretFaults, noteSecretFault } from './consumers/secret-faults.js';
export {
  auditTransition,
  reportOperatorCommand,
  reportTransitions,
  type Transition,
} from './consumers/transitions.js';
export {
  UrlRequestsRepository,
  type UrlRequestDecided,
  type UrlRequestOfConsumer,
  type UrlRequestRow,
} from './consumers/url-requests.repository.js';
export { cancelDelivery, retryDelivery, type Retried } from './deliveries/cancel-and-retry.js';
export {
  DeliveriesRepository,
  type AttemptRow,
  type DeliveryRow,
} from './deliveries/deliveries.repository.js';
export { failuresByCause } from './deliveries/failures.js';
export { OwnDeliveriesRepository } from './deliveries/own-deliveries.repository.js';
export { acceptEvents, type AcceptOutcome, type NewEvent } from './engine/accept-events.js';
export { AcceptStore, type FirstRequest, type OwnPayment, type PaymentPast } from './engine/accept-store.js';
export { cancelOfRemovedConsumers } from './engine/end-pending.js';
export { expirePending } from './engine/expire-pending.js';
export {
  fetchDeliveries,
  parkDeliveries,
  type BlockedDelivery,
  type EndFacts,
  type Fetched,
  type FetchedConsumer,
  type FetchedDelivery,
  type SessionRequest,
} from './engine/fetch-deliveries.js';
export { lockHealth, writeHealth, type CircuitTimes, type HealthChange } from './engine/health.js';
export { leaveSessions, type LeavingSession, type SentRequest } from './engine/leave-sessions.js';
export {
  holdUnrecorded,
  recordAttempts,
  type AttemptResult,
  type HealthCounts,
  type NextStep,
  type Unrecorded,
} from './engine/record-attempts.js';
export { consumersDue, wakeTimes } from './engine/wake-times.js';
export {
  EventsRepository,
  readEnvelope,
  type EventFilter,
  type EventRow,
  type EventWithRecipients,
  type ListedEventRow,
} from './events/events.repository.js';
export { NotificationsRepository, type NotificationFilter } from './events/notifications.repository.js';
export type { Recipients } from './events/recipients.js';
export { insertCopies, lockEventToSend } from './events/send-event.js';
export { markUnroutedSeen } from './events/unrouted-seen.js';
export { ConsumerHealthRepository } from './figures/consumer-health.repository.js';
export { ConsumerHealths, type JudgedConsumer } from './figures/consumer-healths.js';
export { QueueStateRepository, type PendingStateCount } from './figures/queue-state.repository.js';
export {
  ReportRepository,
  type CountedFigures,
  type ReportFigures,
  type ReportRange,
} from './figures/report.repository.js';
export { StatisticsWriter } from './figures/statistics-writer.js';
export { StatisticsRepository, type MinuteRow, type StepRow } from './figures/statistics.repository.js';
export { WorkersRepository, type WorkerCondition, type WorkerRow } from './figures/workers.repository.js';
export { IssuesRepository, type IssueRow } from './issues/issues.repository.js';
export type { Listed } from './lists/chunks.js';
export { SearchRepository, type FoundConsumer, type FoundEvent } from './lists/search.repository.js';
export { dropOldPartitions, trimIdempotencyKeys, trimPayments } from './maintenance/retention.js';
export { SchedulesRepository, type ClaimedRun } from './maintenance/schedules.repository.js';
export { MigrationError } from './migrations/apply-migrations.js';
export { checkSchema, SchemaMismatchError } from './migrations/check-schema.js';
export { migrateToLatest } from './migrations/migrate.js';
export { PaymentsRepository, type PaymentWithRecipients } from './payments/payments.repository.js';
export type { StoredFilter } from './schema/stored-filter.js';
export { ensurePartitions, firstIdAt } from './schema/partitions.js';
