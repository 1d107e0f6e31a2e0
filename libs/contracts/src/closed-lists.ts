/**
 * Every closed list that crosses a boundary (URL, JSON, table, log), once.
 * Spellings come from the specification's tables and from docs/terms.md.
 */

/** The two kinds of notification (specification, "Notification envelope"). */
export const EVENT_TYPES = ['ach.status', 'wire.status'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Roles of callers; see docs/architecture.md. */
export const ROLES = ['producer', 'viewer', 'oncall', 'operator', 'consumer', 'admin'] as const;
export type Role = (typeof ROLES)[number];
/** Roles of people, weakest first: each includes those before it. Producers and consumers are programs. */
export const PERSON_ROLES = ['viewer', 'oncall', 'operator', 'admin'] as const satisfies readonly Role[];
export type PersonRole = (typeof PERSON_ROLES)[number];

/** `queued`, `sending` and `held` are pending, and derived; the other three are final. */
export const PENDING_STATES = ['queued', 'sending', 'held'] as const;
export type PendingState = (typeof PENDING_STATES)[number];
export const FINAL_STATES = ['delivered', 'dead', 'cancelled'] as const;
export type FinalState = (typeof FINAL_STATES)[number];
export const DELIVERY_STATES = [...PENDING_STATES, ...FINAL_STATES] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The state of a consumer's copy in short: `waiting` includes all pending states; `dead` was given up and needs an operator,
 * `settled` was dead and an operator has dealt with it.
 */
export type RecipientState = 'waiting' | 'delivered' | 'dead' | 'settled' | 'cancelled';

/** Why a pending delivery is not sent now; derived by `pendingStateOf` of libs/policy. */
export const HOLD_REASONS = ['paused', 'circuit', 'concurrency', 'order', 'secret', 'record'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** Why a delivery is final. */
export type EndReason =
  | 'acknowledged'
  | 'schedule_used_up'
  | 'pending_too_long'
  | 'consumer_removed'
  | 'cancelled_manually';

/**
 * What a bulk action does to each delivery of its filter; `settle` marks dead ones as dealt with. See
 * docs/adr/0015-replays-and-bulk-actions.md.
 */
export const BULK_ACTIONS = ['retry', 'replay', 'cancel', 'settle'] as const;
export type BulkActionKind = (typeof BULK_ACTIONS)[number];
/** `failed`: its last ten steps have failed. */
export type BulkState = 'running' | 'finished' | 'stopped' | 'failed';

/** Result of one POST. Only `acknowledged` finishes a delivery. */
export const OUTCOMES = [
  'acknowledged',
  'http_status',
  'redirect',
  'timeout',
  'dns',
  'connect',
  'tls',
  'reset',
  'blocked_address',
  'invalid_response',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A version of a consumer's credentials: in force, not yet in force, or no longer. */
export type CredentialState = 'current' | 'coming' | 'former';

/** The dispatcher's client certificate, a consumer's private authority, and the certificate of its server. */
export const CERTIFICATE_USES = ['client', 'authority', 'server'] as const;
export type CertificateUse = (typeof CERTIFICATE_USES)[number];

/** `expiring`: within 30 days. */
export type CertificateState = 'valid' | 'expiring' | 'expired';

/** Unit of `x-timestamp`, chosen per consumer. */
export const TIMESTAMP_UNITS = ['seconds', 'milliseconds'] as const;
export type TimestampUnit = (typeof TIMESTAMP_UNITS)[number];

/** `payment`: a payment's statuses arrive in the order in which they were accepted. */
export const ORDERINGS = ['payment', 'none'] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** The two kinds of payment in paths and screens; each has its event type. */
export const PAYMENT_KINDS = ['ach', 'wire'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** Health of a consumer, the worst first; see `consumerHealth` of libs/policy. */
export const HEALTH_STATES = [
  'credentials_broken',
  'down',
  'degraded',
  'falling_behind',
  'paused',
  'healthy',
] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Kinds of health issues, the worst first; `issuesOf` of libs/policy has the rules. */
export const ISSUE_KINDS = [
  'credentials_broken',
  'down',
  'paused_unplanned',
  'degraded',
  'falling_behind',
  'dead_not_settled',
  'certificate_expiring',
  'api_key_expiring',
] as const;
export type IssueKind = (typeof ISSUE_KINDS)[number];

/**
 * When a person has to act on an issue, the worst first: `page` now, `ticket` on the same working day, `info` within days.
 * `severityOf` of libs/policy has the severity of each kind.
 */
export const SEVERITIES = ['page', 'ticket', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `acknowledged`: a person takes care of it; `resolved`: its condition has ended, or a person has closed it. */
export const ISSUE_STATES = ['open', 'acknowledged', 'resolved'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

/** Filter of the list of issues; `unresolved`: open or acknowledged. */
export const ISSUE_STATE_FILTERS = [...ISSUE_STATES, 'unresolved'] as const;
export type IssueStateFilter = (typeof ISSUE_STATE_FILTERS)[number];

/** What a channel announces about an issue. */
export const ISSUE_EVENTS = ['opened', 'acknowledged', 'resolved'] as const;
export type IssueEvent = (typeof ISSUE_EVENTS)[number];

/** Where issues are announced: a signed webhook, an incoming webhook of Slack or Teams, PagerDuty, or e-mail. */
export const CHANNEL_KINDS = ['webhook', 'slack', 'teams', 'pagerduty', 'email'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/**
 * `superseded`: not sent, since the issue was resolved before its opening could be announced. `counted`: above the
 * channel's limit, so its next summary counts it. `summarised`: that summary was sent.
 */
export const MESSAGE_STATES = ['pending', 'sent', 'failed', 'superseded', 'counted', 'summarised'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** What a consumer's own people can get alerts about. */
export const ALERT_KINDS = ['endpoint_down', 'credentials_change', 'replay_done'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What an alert reports. `credentials_scheduled`: there is a new version, in force now or later. */
export const ALERT_EVENTS = [
  'down',
  'recovered',
  'credentials_scheduled',
  'credentials_tomorrow',
  'replay_done',
] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** The probable place of a failure's cause: the consumer, the network, or the dispatcher. */
export const SIDES = ['theirs', 'line', 'ours'] as const;
export type Side = (typeof SIDES)[number];

/** Trend of a backlog. */
export type Trend = 'empty' | 'steady' | 'draining' | 'growing';

/** Actions of the audit log: noun and past participle. None is removed, since entries are kept. */
export const AUDIT_ACTIONS = [
  'consumer.registered',
  'consumer.changed',
  'consumer.removed',
  'consumer.paused',
  'consumer.resumed',
  'consumer.tested',
  'consumer.paused_by_consumer',
  'consumer.circuit_opened',
  'consumer.circuit_closed',
  'consumer.secret_fault',
  'consumer.secret_restored',
  'credentials.added',
  'credentials.activated',
  'credentials.dropped',
  'credentials.reencrypted',
  'signature.explained',
  'delivery.retried',
  'delivery.cancelled',
  'event.sent',
  'event.envelope-read',
  'unrouted.seen',
  'bulk-action.started',
  'bulk-action.stopped',
  'bulk-action.finished',
  'sending.paused',
  'sending.resumed',
  'api-key.created',
  'api-key.revoked',
  'channel.created',
  'channel.changed',
  'channel.removed',
  'channel.tested',
  'alerts.changed',
  'alerts.tested',
  'issue.acknowledged',
  'issue.resolved',
  'sign-in-link.created',
  'sign-in-link.used',
  'sign-in-link.revoked',
  'url-request.made',
  'url-request.approved',
  'url-request.rejected',
  'url-request.withdrawn',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A one-time link with which a consumer's person signs in to the portal. */
export type SignInLinkState = 'unused' | 'used' | 'expired' | 'revoked';

/** A change of a consumer's URL that its people requested. An operator approves or rejects it. */
export const URL_REQUEST_STATES = ['waiting', 'approved', 'rejected', 'withdrawn'] as const;
export type UrlRequestState = (typeof URL_REQUEST_STATES)[number];

/** What a consumer's replay covers: what was not delivered, or everything. */
export const REPLAY_SCOPES = ['missed', 'all'] as const;
export type ReplayScope = (typeof REPLAY_SCOPES)[number];

/** Colors for the name of an installation. */
export const ENVIRONMENT_COLORS = ['red', 'orange', 'yellow', 'green', 'blue', 'grape', 'gray'] as const;
export type EnvironmentColor = (typeof ENVIRONMENT_COLORS)[number];
