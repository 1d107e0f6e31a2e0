import type {
  EventType,
  FinalState,
  HoldReason,
  OpenState,
  Ordering,
  Outcome,
  Role,
  TimestampUnit,
} from '#libs/contracts';
import type { ColumnType, Generated } from 'kysely';

type SetByDatabase = ColumnType<Date, never, never>;
type Instant = ColumnType<Date, Date | string, Date | string>;

/** One row: what the whole installation agrees on. */
export interface DispatcherStateTable {
  /** Grows with every change that can alter routing; `accept` compares it with the table it routed by. */
  routing_version: ColumnType<string, never, never>;
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
}

/** A payment is (event type, id). Its row is the lock under which a status gets its number. */
export interface PaymentsTable {
  event_type: EventType;
  payment_id: string;
  last_number: number;
  company_ids: string[];
  consumer_ids: string[];
  newest_status: string | null;
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
  accepted_at: SetByDatabase;
  /** The accepting transaction: lists sort by it, and show a row once no older accept can still be committed. */
  accepted_tx: ColumnType<string, never, never>;
  producer: string;
  /** The envelope's exact bytes; text, since jsonb would reorder its keys. */
  body: string;
  consumer_ids: string[];
  delivery_ids: string[];
}

/** What is left to do; small, unpartitioned. */
export interface OpenDeliveriesTable {
  id: string;
  event_id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
  number: number | null;
  state: OpenState;
  hold_reason: HoldReason | null;
  /** Attempts recorded so far; the next one's number is one more. */
  attempts: number;
  /** Attempts of the current run through the retry schedule. */
  schedule_step: number;
  next_attempt_at: Date;
  first_attempt_at: Date | null;
  /** Grows with every take: the fence that a late worker fails at. */
  lease: number;
  lease_until: Date | null;
  /** Part of the job's id, so that a released delivery is not taken for its former job. */
  round: number;
  last_outcome: Outcome | null;
  last_http_status: number | null;
  created_at: Date;
}

/** History of finished deliveries, partitioned like events. */
export interface DeliveriesTable {
  id: string;
  event_id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
  number: number | null;
  state: FinalState;
  attempts: number;
  lease: number;
  round: number;
  last_outcome: Outcome | null;
  last_http_status: number | null;
  created_at: Date;
  first_attempt_at: Date | null;
  finished_at: Date;
}

/** One POST; partitioned by its delivery's id. */
export interface AttemptsTable {
  delivery_id: string;
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
}

export interface AuditLogTable {
  id: Generated<string>;
  at: SetByDatabase;
  actor: string;
  action: string;
  target: string;
  address: string | null;
  reason: string | null;
  details: ColumnType<Record<string, unknown>, string, never>;
}

export interface Tables {
  dispatcher_state: DispatcherStateTable;
  consumers: ConsumersTable;
  consumer_credentials: ConsumerCredentialsTable;
  api_keys: ApiKeysTable;
  payments: PaymentsTable;
  idempotency_keys: IdempotencyKeysTable;
  events: EventsTable;
  open_deliveries: OpenDeliveriesTable;
  deliveries: DeliveriesTable;
  attempts: AttemptsTable;
  audit_log: AuditLogTable;
}
