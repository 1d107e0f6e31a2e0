import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `create table dispatcher_state (
     only_row boolean primary key default true check (only_row),
     routing_version bigint not null default 1
   )`,
  `insert into dispatcher_state default values`,

  `create table consumers (
     id uuid primary key,
     name text not null,
     external_id text,
     url text not null,
     contact text,
     notes text,
     event_types text[] not null,
     ach_company_ids text[] not null,
     wire_company_ids text[] not null,
     all_payments boolean not null,
     timestamp_unit text not null check (timestamp_unit in ('seconds', 'milliseconds')),
     ordering text not null check (ordering in ('payment', 'none')),
     timeout_ms integer not null,
     max_concurrency integer not null,
     max_per_second integer,
     retry_schedule integer[],
     state text not null default 'active' check (state in ('active', 'paused')),
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  // An external id is free again once its consumer is removed.
  `create unique index consumers_external_id on consumers (external_id) where deleted_at is null`,

  `create table consumer_credentials (
     consumer_id uuid not null references consumers (id),
     version integer not null,
     sealed text not null,
     activate_at timestamptz not null,
     created_at timestamptz not null default now(),
     primary key (consumer_id, version)
   )`,

  `create table api_keys (
     id uuid primary key,
     name text not null,
     roles text[] not null,
     key_hash bytea not null unique,
     consumer_id uuid references consumers (id),
     created_at timestamptz not null default now(),
     expires_at timestamptz,
     revoked_at timestamptz
   )`,

  `create table payments (
     event_type text not null,
     payment_id text not null,
     last_number integer not null,
     company_ids text[] not null,
     consumer_ids uuid[] not null,
     newest_status text,
     updated_at timestamptz not null default now(),
     primary key (event_type, payment_id)
   ) with (fillfactor = 80)`,

  `create table idempotency_keys (
     producer text not null,
     key_hash bytea not null,
     content_hash bytea not null,
     notification_id uuid not null,
     created_at timestamptz not null default now(),
     primary key (producer, key_hash)
   )`,
  `create index idempotency_keys_created_at on idempotency_keys using brin (created_at)`,

  `create table events (
     id uuid primary key,
     event_type text not null,
     payment_id text,
     number integer,
     status text,
     trace_number text,
     imad text,
     event_at timestamptz not null,
     accepted_at timestamptz not null default now(),
     accepted_tx xid8 not null default pg_current_xact_id(),
     producer text not null,
     body text not null,
     consumer_ids uuid[] not null,
     delivery_ids uuid[] not null
   ) partition by range (id)`,
  `create index events_accepted on events (accepted_tx, id)`,
  `create index events_payment on events (payment_id, id) where payment_id is not null`,
  `create index events_trace_number on events (trace_number) where trace_number is not null`,
  `create index events_imad on events (imad) where imad is not null`,
  `create index events_unrouted on events (accepted_tx, id) where consumer_ids = '{}'`,

  // Rows change state two or three times in a short life: room in the page keeps those updates off the indexes.
  `create table open_deliveries (
     id uuid primary key,
     event_id uuid not null,
     consumer_id uuid not null,
     event_type text not null,
     payment_id text,
     number integer,
     state text not null check (state in ('queued', 'sending', 'held')),
     hold_reason text check (hold_reason in ('paused', 'circuit', 'concurrency', 'order', 'secret')),
     attempts integer not null default 0,
     schedule_step integer not null default 0,
     next_attempt_at timestamptz not null default now(),
     first_attempt_at timestamptz,
     lease integer not null default 0,
     lease_until timestamptz,
     round integer not null default 0,
     last_outcome text,
     last_http_status integer,
     created_at timestamptz not null default now(),
     check ((state = 'held') = (hold_reason is not null)),
     check ((state = 'sending') = (lease_until is not null))
   ) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500)`,
  // The lane: one consumer's open deliveries of one payment, in the order of acceptance.
  `create index open_deliveries_lane on open_deliveries (consumer_id, event_type, payment_id, number)`,
  `create index open_deliveries_due on open_deliveries (next_attempt_at, id) where state = 'queued'`,
  `create index open_deliveries_leased on open_deliveries (lease_until) where state = 'sending'`,
  `create index open_deliveries_held on open_deliveries (hold_reason, id) where state = 'held'`,
  `create index open_deliveries_event on open_deliveries (event_id)`,

  `create table deliveries (
     id uuid primary key,
     event_id uuid not null,
     consumer_id uuid not null,
     event_type text not null,
     payment_id text,
     number integer,
     state text not null check (state in ('delivered', 'dead', 'cancelled')),
     attempts integer not null,
     lease integer not null,
     round integer not null,
     last_outcome text,
     last_http_status integer,
     created_at timestamptz not null,
     first_attempt_at timestamptz,
     finished_at timestamptz not null
   ) partition by range (id)`,
  `create index deliveries_event on deliveries (event_id)`,
  `create index deliveries_consumer on deliveries (consumer_id, id)`,
  `create index deliveries_payment on deliveries (payment_id, id) where payment_id is not null`,

  `create table attempts (
     delivery_id uuid not null,
     number integer not null,
     started_at timestamptz not null,
     duration_ms integer not null,
     outcome text not null,
     http_status integer,
     detail text not null,
     url text not null,
     credential_version integer not null,
     request_headers jsonb not null,
     response_headers jsonb,
     response_body text,
     response_truncated boolean not null,
     clock_skew_ms bigint,
     primary key (delivery_id, number)
   ) partition by range (delivery_id)`,

  `create table audit_log (
     id bigint generated always as identity primary key,
     at timestamptz not null default now(),
     actor text not null,
     action text not null,
     target text not null,
     address text,
     reason text,
     details jsonb not null default '{}'
   )`,
];

/** Every table of docs/architecture.md, "Storage"; history is partitioned from this first migration on. */
export const firstTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
