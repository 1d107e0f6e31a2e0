import type {
  CertificateFacts,
  EndReason,
  EventType,
  FinalState,
  Ordering,
  Outcome,
  Role,
  TimestampUnit,
} from '#libs/contracts';
import type { ColumnType, Generated } from 'kysely';
import type { BulkActionsTable } from './bulk/bulk-actions.table.js';
import type { StatsMinutesTable, WorkersTable } from './statistics/statistics.tables.js';

type SetByDatabase = ColumnType<Date, never, never>;
/** Written as JSON text, which the driver would make of an object but not of a list. */
type CertificateList = ColumnType<CertificateFacts[], string | undefined, string>;
type Instant = ColumnType<Date, Date | string, Date | string>;

/** One row: what the whole installation agrees on. */
export interface DispatcherStateTable {
  /** Grows with every change that can alter routing; `accept` compares it with the table it routed by. */
  routing_version: ColumnType<string, never, never>;
  /** Since when nothing is sent to anybody. */
  paused_at: Date | null;
  pause_reason: string | null;
}

/** One row a consumer: what changes while it is served. */
export interface ConsumerRuntimeTable {
  consumer_id: string;
  /** The fencing token of delivery sessions; a bigint, which the driver hands over as text. */
  session: ColumnType<string, never, never>;
  /** A worker fetches its deliveries at the moment. */
  session_open: ColumnType<boolean, never, never>;
  failures: Generated<number>;
  failed_deliveries: Generated<string[]>;
  first_failure_at: Date | null;
  /** As of the end of its last session, or the last change of its health. */
  last_success_at: Date | null;
  circuit_opened_at: Date | null;
  failed_probes: Generated<number>;
  next_probe_at: Date | null;
  /** When `max_per_second` allows the next request. */
  next_send_at: Date | null;
  /** Why its credentials cannot be decrypted, in words. */
  secret_fault: string | null;
  secret_fault_at: Date | null;
}

/** A time that counts against no delivery; without a consumer: everybody's. */
export interface ExcludedDowntimeTable {
  id: Generated<string>;
  consumer_id: string | null;
  cause: 'paused' | 'outage' | 'secret';
  began_at: Date;
  ended_at: Date;
}

/** A recurring work, claimed by one process at a time. */
export interface SchedulesTable {
  name: string;
  next_at: Generated<Date>;
  /** The run under way, if any; its fence. */
  run_id: string | null;
  running_until: Date | null;
  last_started_at: Date | null;
  last_finished_at: Date | null;
  last_succeeded_at: Date | null;
  last_error: string | null;
  runs: Generated<string>;
  faults: Generated<string>;
}

export interface ConsumersTable {
  id: string;
  name: string;
  external_id: string | null;
  url: string;
  contact: string | null;
  notes: string | null;
  event_types: EventType[];
  ach_company_ids: string[];
  wire_company_ids: string[];
  all_payments: boolean;
  timestamp_unit: TimestampUnit;
  ordering: Ordering;
  timeout_ms: number;
  max_concurrency: number;
  max_per_second: number | null;
  /** Seconds between attempts; null: the product's schedule. */
  retry_schedule: number[] | null;
  state: Generated<'active' | 'paused'>;
  paused_at: Generated<Date | null>;
  /** When the pause is to end without anybody; null: it lasts until somebody resumes the consumer. */
  paused_until: Generated<Date | null>;
  pause_reason: Generated<string | null>;
  /** The highest that was ever given: a dropped version's number is not used again. */
  last_credential_version: Generated<number>;
  /** PEM of the private authority; null: the public ones. */
  ca_certificate: Generated<string | null>;
  ca_certificates: CertificateList;
  created_at: SetByDatabase;
  updated_at: Generated<Date>;
  deleted_at: Generated<Date | null>;
}

/** The version in force is the one with the newest `activate_at` that has come. */
export interface ConsumerCredentialsTable {
  consumer_id: string;
  version: number;
  /** JWE; only libs/vault can open it. */
  sealed: string;
  activate_at: Instant;
  created_at: SetByDatabase;
  /** Null for those from before names were kept. */
  created_by: string | null;
  /** The chain whose private key is sealed here; empty without one. */
  client_certificates: CertificateList;
}

export interface ApiKeysTable {
  id: string;
  name: string;
  roles: Role[];
  key_hash: Buffer;
  consumer_id: string | null;
  created_at: SetByDatabase;
  expires_at: Date | null;
  revoked_at: Generated<Date | null>;
  /** To the minute. */
  last_used_at: Generated<Date | null>;
}

/** A payment is (event type, id). Its row is the lock under which a status gets its number. */
export interface PaymentsTable {
  event_type: EventType;
  payment_id: string;
  last_number: number;
  company_ids: string[];
  consumer_ids: string[];
  newest_status: string | null;
  /** Who has posted a status of it. */
  producers: Generated<string[]>;
  updated_at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  producer: string;
  key_hash: Buffer;
  content_hash: Buffer;
  notification_id: string;
  created_at: SetByDatabase;
}

/** History, partitioned by time through the UUIDv7 id. */
export interface EventsTable {
  id: string;
  event_type: EventType;
  payment_id: string | null;
  number: number | null;
  status: string | null;
  trace_number: string | null;
  imad: string | null;
  event_at: Date;
  /** The clock at the insertion: lists sort by it, and show a row once nothing older can appear. */
  accepted_at: SetByDatabase;
  producer: string;
  /** The envelope's exact bytes; text, since jsonb would reorder its keys. */
  body: string;
  consumer_ids: string[];
  delivery_ids: string[];
  /** The trace that it belongs to, as the W3C's header has it; null when there is none. */
  traceparent: string | null;
  /** Deliveries that an operator added afterwards. */
  added_delivery_ids: Generated<string[]>;
}

/** What is left to do; small, unpartitioned. Its state is derived: see the view `pending_delivery_states`. */
export interface PendingDeliveriesTable {
  id: string;
  event_id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
  number: number | null;
  /** The payment's status that its event brings. */
  status: string | null;
  /** Attempts recorded so far; the next one's number is one more. */
  attempts: Generated<number>;
  /** Attempts of the current run through the retry schedule. */
  schedule_step: Generated<number>;
  next_attempt_at: Generated<Date>;
  first_attempt_at: Date | null;
  last_outcome: Outcome | null;
  last_http_status: number | null;
  created_at: Generated<Date>;
  /** Since when it is pending; anew when a finished delivery is sent again. */
  pending_since: Generated<Date>;
}

/** History of finished deliveries, partitioned like events. */
export interface DeliveriesTable {
  id: string;
  event_id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
  number: number | null;
  /** The payment's status that its event brings. */
  status: string | null;
  state: FinalState;
  attempts: number;
  last_outcome: Outcome | null;
  last_http_status: number | null;
  created_at: Date;
  first_attempt_at: Date | null;
  finished_at: Date;
  /** Null for what ended before reasons were kept. */
  end_reason: EndReason | null;
  /** When a person dealt with a dead one otherwise; who, and how. */
  settled_at: Generated<Date | null>;
  settled_by: Generated<string | null>;
  settle_reason: Generated<string | null>;
}

/** One POST; partitioned by its delivery's id. */
export interface AttemptsTable {
  delivery_id: string;
  /** The consumer, of a failed attempt only: its index holds failures, and PostgreSQL knows how many each consumer has. */
  failed_consumer_id: string | null;
  number: number;
  started_at: Date;
  duration_ms: number;
  outcome: Outcome;
  http_status: number | null;
  detail: string;
  url: string;
  credential_version: number;
  request_headers: Record<string, string>;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_truncated: boolean;
  /** A bigint, which the driver hands over as text. */
  clock_skew_ms: ColumnType<string | null, never, never>;
  probe: boolean;
}

export interface AuditLogTable {
  id: Generated<string>;
  at: SetByDatabase;
  actor: string;
  /** The actor's roles, as granted; null for the dispatcher itself. */
  role: string | null;
  action: string;
  target: string;
  address: string | null;
  reason: string | null;
  details: ColumnType<Record<string, unknown>, string, never>;
  before: ColumnType<Record<string, unknown> | null, string | null, never>;
  after: ColumnType<Record<string, unknown> | null, string | null, never>;
  /** The clock, read after the entry had its id. */
  written_at: SetByDatabase;
}

export interface Tables {
  dispatcher_state: DispatcherStateTable;
  consumers: ConsumersTable;
  consumer_runtime: ConsumerRuntimeTable;
  excluded_downtime: ExcludedDowntimeTable;
  schedules: SchedulesTable;
  consumer_credentials: ConsumerCredentialsTable;
  api_keys: ApiKeysTable;
  payments: PaymentsTable;
  idempotency_keys: IdempotencyKeysTable;
  events: EventsTable;
  pending_deliveries: PendingDeliveriesTable;
  deliveries: DeliveriesTable;
  attempts: AttemptsTable;
  bulk_actions: BulkActionsTable;
  audit_log: AuditLogTable;
  stats_minutes: StatsMinutesTable;
  workers: WorkersTable;
}
