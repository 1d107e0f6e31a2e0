import { sql } from 'kysely';
import type { Database } from '../connection.js';

/**
 * The moment before which no open delivery can still be made: the beginning of the oldest transaction that writes
 * open deliveries, or now. To be asked before the list is read, in a statement of its own.
 *
 * Whoever writes the table holds its lock from before its first row's `created_at` (the clock at the row's own
 * insertion, by the table's default) until after its commit. So what was made before this moment is committed, and in
 * the later statement's snapshot; and what is not, holds the lock now, or takes it later. All of it by PostgreSQL's
 * one clock: when somebody sets it back, rows of that span may be missed by whoever pages at that time.
 */
export async function madeBefore(db: Database): Promise<Date> {
  const { rows } = await sql<{ horizon: Date }>`
    with writers as materialized (
      select distinct pid from pg_locks
      where locktype = 'relation' and relation = 'open_deliveries'::regclass and mode = 'RowExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())
    )
    select date_trunc('milliseconds', least(statement_timestamp(), min(a.xact_start))) as horizon
    from writers join pg_stat_activity a using (pid)`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the horizon statement always answers one row');
  return row.horizon;
}
