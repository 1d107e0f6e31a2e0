export { ApiKeysRepository, type ApiKeyRow, type LiveApiKey } from './access/api-keys.repository.js';
export { recordAudit, type AuditEntry } from './access/audit.js';
export { AuditRepository, type AuditFilter, type AuditRow } from './access/audit.repository.js';
export { awaitPostgres } from './await-postgres.js';
export type { BulkFilter } from './bulk/bulk-filter.js';
export {
  BulkActionsRepository,
  type BulkActionRow,
  type StartedBulkAction,
} from './bulk/bulk-actions.repository.js';
export {
  BULK_WORK,
  stepBulkAction,
  type BulkStepDone,
  type BulkStepFailed,
} from './bulk/step-bulk-action.js';
export { ChannelMessagesRepository, type DueMessage } from './channels/channel-messages.repository.js';
export { ChannelSummariesRepository, type DueSummary } from './channels/channel-summaries.repository.js';
export { ChannelsRepository, type ChannelRow } from './channels/channels.repository.js';
export { everySealedChannel, replaceSealedChannel, type SealedChannel } from './channels/sealed-channels.js';
export { CertificatesRepository, type CertificateInUse } from './certificates/certificates.repository.js';
export { ServerCertificateStore } from './certificates/server-certificates.js';
export { acceptEvents, type AcceptOutcome, type NewEvent } from './accept/accept-events.js';
export { AcceptStore, type FirstRequest, type IdempotencyKey } from './accept/accept-store.js';
export { type OwnPayment, type PaymentPast } from './accept/own-past.js';
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
} from './connection.js';
export {
  ConsumersRepository,
  ExternalIdTakenError,
  type ConsumerChange,
  type ConsumerRow,
  type ConsumerSettings,
  NO_VERSION,
  type NewConsumer,
} from './consumers/consumers.repository.js';
export {
  activateCredentials,
  addCredentials,
  credentialVersions,
  dropCredentials,
  type CredentialChange,
  type CredentialBounds,
  type CredentialVersion,
  type SealedCredentials,
} from './credentials/credential-versions.js';
export { everySealed, replaceSealed, type SealedVersion } from './credentials/sealed-credentials.js';
export { DatabaseModule, PIPELINE_SETTINGS } from './database.module.js';
export { leaveSessions, type LeavingSession, type SentRequest } from './delivering/leave-sessions.js';
export { holdUnrecorded, type Unrecorded } from './delivering/hold-unrecorded.js';
export {
  fetchDeliveries,
  parkDeliveries,
  type BlockedDelivery,
  type Fetched,
  type EndFacts,
  type FetchedConsumer,
  type FetchedDelivery,
  type SessionRequest,
} from './delivering/fetch-deliveries.js';
export {
  recordAttempts,
  type AttemptResult,
  type HealthCounts,
  type NextStep,
  type Recorded,
} from './delivering/record-attempts.js';
export { cancelDelivery, type Cancelled } from './operations/cancel-delivery.js';
export { lockHealth, writeHealth, type CircuitTimes, type HealthChange } from './operations/health.js';
export {
  PAUSED_BY_ANSWER,
  pauseByAnswer,
  pauseConsumer,
  pauseSending,
  resumeConsumer,
  resumeExpiredPauses,
  resumeSending,
} from './operations/pause.js';
export { readEnvelope } from './operations/read-envelope.js';
export { retryDelivery, type Retried } from './operations/retry-delivery.js';
export { retryTransient } from './operations/retry-transient.js';
export { clearSecretFaults, noteSecretFault } from './operations/secret-faults.js';
export { insertCopies, lockEventToSend, type EventToSend } from './operations/send-event.js';
export {
  auditTransition,
  reportOperatorCommand,
  reportTransitions,
  type Transition,
} from './operations/transitions.js';
export { expirePending } from './maintenance/expire-pending.js';
export { cancelOfRemovedConsumers } from './maintenance/removed-consumers.js';
export { dropOldPartitions, trimIdempotencyKeys, trimPayments } from './maintenance/retention.js';
export { SchedulesRepository, type ClaimedRun } from './maintenance/schedules.repository.js';
export { consumersDue, wakeTimes } from './maintenance/wake-times.js';
export {
  DatabaseUnavailableError,
  isUnavailable,
  codeOf,
  isRefusal,
  isTooSlow,
  isTransient,
  noteConnectionFault,
} from './faults.js';
export { ConsumerHealths, type JudgedConsumer } from './health/consumer-healths.js';
export {
  IssuesRepository,
  type Evaluated,
  type IssueFilter,
  type IssueRow,
} from './issues/issues.repository.js';
export { MicroBatch } from './micro-batch.js';
export { migrateToLatest } from './migrate.js';
export { pingDatabase } from './ping.js';
export { ensurePartitions, firstIdAt } from './partitions.js';
export { SignInLinksRepository, type SignInLinkRow } from './portal/sign-in-links.repository.js';
export {
  UrlRequestsRepository,
  type UrlRequestDecided,
  type UrlRequestOfConsumer,
  type UrlRequestRow,
} from './portal/url-requests.repository.js';
export type { Listed } from './reading/chunks.js';
export {
  ConsumerHealthRepository,
  type ActivityRow,
  type CauseRow,
  type ConditionRow,
  type DeadRow,
} from './reading/consumer-health.repository.js';
export {
  DeliveriesRepository,
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
} from './reading/deliveries.repository.js';
export { OwnDeliveriesRepository, type OwnCounts } from './reading/own-deliveries.repository.js';
export { failuresByCause, type FailureGroup } from './reading/failures.js';
export {
  EventsRepository,
  type EventFilter,
  type EventRow,
  type EventWithRecipients,
  type ListedEventRow,
} from './reading/events.repository.js';
export { NotificationsRepository, type NotificationFilter } from './reading/notifications.repository.js';
export {
  PaymentsRepository,
  type PaymentFilter,
  type PaymentWithRecipients,
} from './reading/payments.repository.js';
export {
  QueueStateRepository,
  type Counted,
  type PendingStateCount,
} from './reading/queue-state.repository.js';
export type { Recipients } from './reading/recipients.js';
export {
  ReportRepository,
  type CountedFigures,
  type ReportConsumer,
  type ReportFigures,
  type ReportRange,
} from './reading/report.repository.js';
export { SearchRepository, type FoundConsumer, type FoundEvent } from './reading/search.repository.js';
export {
  StatisticsRepository,
  type MinuteRow,
  type StatsQuery,
  type StepRow,
} from './statistics/statistics.repository.js';
export { StatisticsWriter } from './statistics/statistics-writer.js';
export { WorkersRepository, type WorkerCondition, type WorkerRow } from './statistics/workers.repository.js';
export { untilPostgresAnswers } from './until-postgres-answers.js';
