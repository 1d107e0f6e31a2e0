import { sql } from 'kysely';
import type { Queryable } from '../connection/connection.js';

/**
 * The time before which no row of `events` and `pending_deliveries` can still become visible, in PostgreSQL's text form
 * (microseconds): the start of the oldest transaction that has written anything, or now. Read it before the list, in a
 * statement of its own.
 *
 * Why this holds: a transaction gets its id before its first row gets its time (the columns' defaults), and shows the id
 * until its commit is visible. So a row with an earlier time is committed, and is in the later statement's snapshot. All
 * times are PostgreSQL's clock: if that clock is set back, clients that page at that time may miss rows of the span. A
 * role sees the start of its own sessions only, so everything that writes these tables must use the same role.
 */
export async function visibleWatermark(db: Queryable): Promise<string> {
  const { rows } = await sql<{ watermark: string }>`
    -- pg_stat_activity without the names of databases and roles, which take most of its time.
    select least(statement_timestamp(), min(xact_start))::text as watermark from pg_stat_get_activity(null)
    where datid = (select oid from pg_database where datname = current_database())
      and backend_type = 'client backend' and backend_xid is not null`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the watermark statement always answers one row');
  return row.watermark;
}
