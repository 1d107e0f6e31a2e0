import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // The moment has to lie after the lock on the table, not at the transaction's beginning before it.
  `alter table events alter column accepted_at set default clock_timestamp()`,
  `drop index events_accepted, events_status, events_unrouted`,
  `alter table events drop column accepted_tx`,
  `create index events_accepted on events (accepted_at, id) include (event_type, producer)`,
  `create index events_status on events (status, accepted_at, id)`,
  `create index events_unrouted on events (accepted_at, id) where consumer_ids = '{}' and not sent_by_hand`,
];

/** Events are listed by the moment of their acceptance: docs/adr/0005-lists-that-miss-nothing.md. */
export const eventsByTime: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
