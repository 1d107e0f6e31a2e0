import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // What stands at each consumer's gate; the row is the lock under which its deliveries are admitted.
  `create table consumer_gates (
     consumer_id uuid primary key references consumers (id),
     failures integer not null default 0,
     failed_deliveries uuid[] not null default '{}',
     first_failure_at timestamptz,
     circuit_opened_at timestamptz,
     failed_probes integer not null default 0,
     next_probe_at timestamptz,
     next_send_at timestamptz,
     next_slot_at timestamptz,
     secret_fault text,
     secret_fault_at timestamptz,
     check ((circuit_opened_at is null) = (next_probe_at is null)),
     check ((secret_fault is null) = (secret_fault_at is null))
   ) with (fillfactor = 50)`,
  `insert into consumer_gates (consumer_id) select id from consumers`,

  `alter table consumers
     add column max_held_days integer not null default 7,
     add column paused_at timestamptz,
     add column pause_reason text`,
  `alter table dispatcher_state
     add column paused_at timestamptz,
     add column pause_reason text,
     add column queue_marker text`,
  // Times that count against no delivery; one that lasts stands in paused_at. Without a consumer: everybody's.
  `create table standstills (
     id bigint generated always as identity primary key,
     consumer_id uuid references consumers (id),
     cause text not null check (cause in ('paused', 'outage', 'secret')),
     began_at timestamptz not null,
     ended_at timestamptz not null
   )`,
  `create index standstills_consumer on standstills (consumer_id, ended_at)`,

  `create index payments_updated_at on payments using brin (updated_at)`,

  `create table schedules (
     name text primary key,
     next_at timestamptz not null default now(),
     run_id uuid,
     running_until timestamptz,
     last_started_at timestamptz,
     last_finished_at timestamptz,
     last_succeeded_at timestamptz,
     last_error text,
     runs bigint not null default 0,
     faults bigint not null default 0,
     cursor uuid,
     check ((run_id is null) = (running_until is null))
   ) with (fillfactor = 50)`,

  `alter table open_deliveries
     add column held_since timestamptz,
     add column probe boolean not null default false,
     add column reserved boolean not null default false`,
  `update open_deliveries set held_since = created_at where state = 'held'`,
  `alter table deliveries add column end_reason text check (end_reason in
     ('acknowledged', 'schedule_used_up', 'held_too_long', 'consumer_removed', 'cancelled_by_hand'))`,
  `alter table attempts
     add column lease integer,
     add column probe boolean not null default false`,

  // By consumer, so that one consumer's backlog is never read on behalf of another.
  `drop index open_deliveries_due`,
  `drop index open_deliveries_leased`,
  `drop index open_deliveries_held`,
  `create index open_deliveries_queued on open_deliveries (consumer_id, next_attempt_at, id) where state = 'queued'`,
  `create index open_deliveries_sending on open_deliveries (consumer_id, lease_until) where state = 'sending'`,
  `create index open_deliveries_at_gate on open_deliveries (consumer_id, next_attempt_at, id)
     where state = 'held' and hold_reason <> 'order'`,
  `create index open_deliveries_expiring on open_deliveries (consumer_id, held_since)
     where state = 'held' and schedule_step = 0`,
];

/** Holds, gates and schedules: docs/adr/0010-one-gate-per-consumer.md and 0011-schedules-in-postgresql.md. */
export const holds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
