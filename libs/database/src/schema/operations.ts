/** Tables of schedules, bulk actions, the audit log, statistics and workers. */
export const OPERATION_TABLES: readonly string[] = [
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
     check ((run_id is null) = (running_until is null))
   ) with (fillfactor = 50)`,

  `create table bulk_actions (
     id uuid primary key,
     action text not null check (action in ('retry', 'replay', 'cancel', 'settle')),
     filter jsonb not null,
     reason text not null,
     state text not null default 'running' check (state in ('running', 'finished', 'stopped', 'failed')),
     newest_id uuid not null,
     cursor uuid,
     matched integer,
     processed integer not null default 0,
     changed integer not null default 0,
     skipped integer not null default 0,
     failures smallint not null default 0,
     last_fault text,
     created_by text not null,
     stopped_by text,
     created_at timestamptz not null default now(),
     stepped_at timestamptz not null default now(),
     finished_at timestamptz,
     -- Started by this consumer's people in the portal.
     started_for uuid references consumers (id),
     check ((state = 'running') = (finished_at is null)),
     check ((failures = 0) = (last_fault is null))
   ) with (fillfactor = 50)`,
  `create index bulk_actions_running on bulk_actions (stepped_at) where state = 'running'`,
  // At most one replay runs for each consumer, also of simultaneous requests.
  `create unique index bulk_actions_running_for on bulk_actions (started_for) where state = 'running'`,
  // GET /v1/portal/replays.
  `create index bulk_actions_started_for on bulk_actions (started_for, id) where started_for is not null`,

  `create table audit_log (
     -- PostgreSQL evaluates defaults in the order of the columns: first the transaction gets its id, then the entry
     -- gets its id, and last the clock is read. AuditRepository.after relies on this.
     at timestamptz not null default case when pg_current_xact_id() is not null then now() end,
     id bigint generated always as identity primary key,
     actor text not null,
     role text,
     action text not null,
     target text not null,
     address text,
     reason text,
     details jsonb not null default '{}',
     before jsonb,
     after jsonb,
     written_at timestamptz not null default clock_timestamp()
   )`,
  // GET /v1/audit: newest first, with or without a filter.
  `create index audit_log_at on audit_log (at, id)`,
  `create index audit_log_actor on audit_log (actor, at, id)`,
  `create index audit_log_action on audit_log (action, at, id)`,
  `create index audit_log_target on audit_log (target, at, id)`,
  // Applies to the owner of the table too. A role that may alter the table (its owner, a superuser) could drop the
  // triggers first; SECURITY.md, "The owner of the audit log", prevents that.
  `create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
   begin
     raise exception 'audit_log takes new entries only: % is refused', lower(tg_op)
       using errcode = 'insufficient_privilege';
   end $$`,
  `create trigger audit_log_append_only before update or delete on audit_log
     for each row execute function refuse_change_of_audit_log()`,
  `create trigger audit_log_not_truncated before truncate on audit_log
     for each statement execute function refuse_change_of_audit_log()`,
  // The triggers also fire in a session that replays changes (session_replication_role).
  `alter table audit_log enable always trigger audit_log_append_only`,
  `alter table audit_log enable always trigger audit_log_not_truncated`,

  // A row for each process, so that no process waits for another one.
  `create table stats_minutes (
     consumer_id uuid,
     minute timestamptz not null,
     process_id uuid not null,
     accepted integer not null,
     delivered integer not null,
     dead integer not null,
     attempts integer not null,
     failed_attempts integer not null,
     latency integer[] not null,
     unique nulls not distinct (consumer_id, minute, process_id)
   ) with (fillfactor = 80)`,
  `create index stats_minutes_minute on stats_minutes using brin (minute)`,
  // The report in each worker's last heartbeat.
  `create table workers (
     id uuid primary key,
     host text not null,
     pid integer not null,
     started_at timestamptz not null default now(),
     seen_at timestamptz not null default now(),
     concurrency integer not null,
     -- Sessions that have lasted for a turn: what balancing counts, since most of the others end by themselves.
     lasting integer not null default 0,
     -- Deliveries that are being sent.
     sending uuid[] not null default '{}',
     -- Consumers that the worker serves, and which of them have limits that keep deliveries waiting.
     sessions uuid[] not null default '{}',
     at_limit uuid[] not null default '{}'
   ) with (fillfactor = 50)`,
];
