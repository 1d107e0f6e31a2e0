import { sql } from 'kysely';
import type { Queryable } from '../connection.js';

/**
 * The moment before which no row of events and pending_deliveries can still appear, as PostgreSQL writes it
 * (microseconds): the beginning of the oldest transaction that has written anything, or now. To be asked before the list is
 * read, in a statement of its own.
 *
 * A transaction has its id before its first row has a time (the columns' defaults), and until its commit shows. So what was
 * written before this moment is committed, and in the later statement's snapshot; and what is not, has an id now or gets one
 * later. All of it by PostgreSQL's one clock: when somebody sets it back, rows of that span may be missed by whoever pages
 * at that time. Only a role's own sessions show their beginning to it: whatever writes these tables does so by the same role.
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
