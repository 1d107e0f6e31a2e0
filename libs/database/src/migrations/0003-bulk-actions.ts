import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `create table bulk_actions (
     id uuid primary key,
     action text not null check (action in ('retry', 'replay', 'cancel')),
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
     created_at timestamptz not null default now(),
     stepped_at timestamptz not null default now(),
     finished_at timestamptz,
     check ((state = 'running') = (finished_at is null)),
     check ((failures = 0) = (last_fault is null))
   ) with (fillfactor = 50)`,
  `create index bulk_actions_running on bulk_actions (stepped_at) where state = 'running'`,

  // Whoever retries or cancels what has failed must not read what was delivered.
  `create index deliveries_not_delivered on deliveries (id) where state <> 'delivered'`,

  `alter table events add column sent_by_hand boolean not null default false`,
  `drop index events_unrouted`,
  `create index events_unrouted on events (accepted_tx, id) where consumer_ids = '{}' and not sent_by_hand`,
];

/** Replays and what people do to many deliveries: docs/adr/0015-replays-and-bulk-actions.md. */
export const bulkActions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
