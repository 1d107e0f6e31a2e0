import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An event remembers the trace that it belongs to, since the queue may forget: docs/adr/0024-observability.md. */
export const traces: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table events add column traceparent text`.execute(db);
  },
};
