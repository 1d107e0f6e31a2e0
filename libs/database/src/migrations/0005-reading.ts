import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // A consumer's notifications are listed in the order in which their deliveries were made; the moment has to lie
  // after the lock on the table, not before (libs/database/src/reading/made-before.ts).
  `alter table open_deliveries alter column created_at set default clock_timestamp()`,
  `create index deliveries_consumer_made on deliveries (consumer_id, created_at, id) include (event_type)`,

  // Of history, what is looked for because it is rare; partial, so that few records pay for it.
  `create index deliveries_state on deliveries (state, id) where state <> 'delivered'`,
  `create index deliveries_consumer_state on deliveries (consumer_id, state, id) where state <> 'delivered'`,
  `create index deliveries_outcome on deliveries (last_outcome, id) where last_outcome <> 'acknowledged'`,
  `create index deliveries_http_status on deliveries (last_http_status, id) where last_http_status <> 200`,

  // What most filters ask stands beside the order in which the list is read.
  `drop index events_accepted`,
  `create index events_accepted on events (accepted_tx, id) include (accepted_at, event_type, producer)`,
  `create index events_status on events (status, accepted_tx, id)`,

  `alter table payments add column producers text[] not null default '{}'`,
  `update payments p set producers = array(
     select distinct e.producer from events e where e.payment_id = p.payment_id and e.event_type = p.event_type)`,
  `create index payments_updated on payments (updated_at, event_type, payment_id) include (newest_status)`,
  `drop index payments_updated_at`,

  // Statistics beside the truth: a row for each process, so that no two wait for each other.
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
  `create table workers (
     id uuid primary key,
     host text not null,
     pid integer not null,
     started_at timestamptz not null default now(),
     seen_at timestamptz not null default now(),
     concurrency integer not null,
     sending integer not null
   ) with (fillfactor = 50)`,
];

/** Lists that stay fast, and statistics: docs/adr/0017-statistics-beside-the-truth.md and 0018-lists-that-stay-fast.md. */
export const reading: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
