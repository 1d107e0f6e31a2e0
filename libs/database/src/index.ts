export { ApiKeysRepository, type ApiKeyRow, type LiveApiKey } from './access/api-keys.repository.js';
export { recordAudit, type AuditEntry } from './audit/audit.js';
export { AuditRepository, type AuditFilter, type AuditRow } from './audit/audit.repository.js';
export { awaitPostgres } from './connection/await-postgres.js';
export type { BulkFilter } from './schema/bulk-filter.js';
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
export { ChannelsRepository, type ChannelRow } from './channels/channels.repository.js';
export { everySealedChannel, replaceSealedChannel, type SealedChannel } from './channels/sealed-channels.js';
export { CertificatesRepository, type CertificateInUse } from './consumers/certificates.repository.js';
export { ServerCertificateStore } from './consumers/server-certificates.js';
export { acceptEvents, type AcceptOutcome, type NewEvent } from './engine/accept-events.js';
export { AcceptStore, type FirstRequest, type IdempotencyKey } from './engine/accept-store.js';
export { type OwnPayment, type PaymentPast } from './engine/own-past.js';
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
} from './consumers/credential-versions.js';
export { everySealed, replaceSealed, type SealedVersion } from './consumers/sealed-credentials.js';
export { DatabaseModule, PIPELINE_SETTINGS } from './database.module.js';
export { leaveSessions, type LeavingSession, type SentRequest } from './engine/leave-sessions.js';
export { holdUnrecorded, type Unrecorded } from './engine/hold-unrecorded.js';
export {
  fetchDeliveries,
  parkDeliveries,
  type BlockedDelivery,
  type Fetched,
  type EndFacts,
  type FetchedConsumer,
  type FetchedDelivery,
  type SessionRequest,
} from './engine/fetch-deliveries.js';
export {
  recordAttempts,
  type AttemptResult,
  type HealthCounts,
  type NextStep,
  type Recorded,
} from './engine/record-attempts.js';
export { cancelDelivery, type Cancelled } from './deliveries/cancel-delivery.js';
export { lockHealth, writeHealth, type CircuitTimes, type HealthChange } from './engine/health.js';
export {
  PAUSED_BY_ANSWER,
  pauseByAnswer,
  pauseConsumer,
  pauseSending,
  resumeConsumer,
  resumeExpiredPauses,
  resumeSending,
} from './consumers/pause.js';
export { readEnvelope } from './events/read-envelope.js';
export { retryDelivery, type Retried } from './deliveries/retry-delivery.js';
export { retryTransient } from './connection/retry-transient.js';
export { clearSecretFaults, noteSecretFault } from './consumers/secret-faults.js';
export { insertCopies, lockEventToSend, type EventToSend } from './events/send-event.js';
export {
  auditTransition,
  reportOperatorCommand,
  reportTransitions,
  type Transition,
} from './consumers/transitions.js';
export { expirePending } from './engine/expire-pending.js';
export { cancelOfRemovedConsumers } from './consumers/removed-consumers.js';
export { dropOldPartitions, trimIdempotencyKeys, trimPayments } from './maintenance/retention.js';
export { SchedulesRepository, type ClaimedRun } from './maintenance/schedules.repository.js';
export { consumersDue, wakeTimes } from './engine/wake-times.js';
export {
  DatabaseUnavailableError,
  isUnavailable,
  codeOf,
  isRefusal,
  isTooSlow,
  isTransient,
  noteConnectionFault,
} from './connection/faults.js';
export { ConsumerHealths, type JudgedConsumer } from './figures/consumer-healths.js';
export {
  IssuesRepository,
  type Evaluated,
  type IssueFilter,
  type IssueRow,
} from './issues/issues.repository.js';
export { MicroBatch } from './connection/micro-batch.js';
export { migrateToLatest } from './migrations/migrate.js';
export { pingDatabase } from './connection/ping.js';
export { ensurePartitions, firstIdAt } from './schema/partitions.js';
export { SignInLinksRepository, type SignInLinkRow } from './access/sign-in-links.repository.js';
export {
  UrlRequestsRepository,
  type UrlRequestDecided,
  type UrlRequestOfConsumer,
  type UrlRequestRow,
} from './consumers/url-requests.repository.js';
export type { Listed } from './lists/chunks.js';
export {
  ConsumerHealthRepository,
  type ActivityRow,
  type CauseRow,
  type ConditionRow,
  type DeadRow,
} from './figures/consumer-health.repository.js';
export {
  DeliveriesRepository,
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
} from './deliveries/deliveries.repository.js';
export { OwnDeliveriesRepository, type OwnCounts } from './deliveries/own-deliveries.repository.js';
export { failuresByCause, type FailureGroup } from './deliveries/failures.js';
export {
  EventsRepository,
  type EventFilter,
  type EventRow,
  type EventWithRecipients,
  type ListedEventRow,
} from './events/events.repository.js';
export { NotificationsRepository, type NotificationFilter } from './events/notifications.repository.js';
export {
  PaymentsRepository,
  type PaymentFilter,
  type PaymentWithRecipients,
} from './payments/payments.repository.js';
export {
  QueueStateRepository,
  type Counted,
  type PendingStateCount,
} from './figures/queue-state.repository.js';
export type { Recipients } from './events/recipients.js';
export {
  ReportRepository,
  type CountedFigures,
  type ReportConsumer,
  type ReportFigures,
  type ReportRange,
} from './figures/report.repository.js';
export { SearchRepository, type FoundConsumer, type FoundEvent } from './lists/search.repository.js';
export {
  StatisticsRepository,
  type MinuteRow,
  type StatsQuery,
  type StepRow,
} from './figures/statistics.repository.js';
export { StatisticsWriter } from './figures/statistics-writer.js';
export { WorkersRepository, type WorkerCondition, type WorkerRow } from './figures/workers.repository.js';
export { untilPostgresAnswers } from './connection/until-postgres-answers.js';
