import { sql } from 'kysely';
import type { Database } from '../connection.js';

/**
 * The moment before which no row of a table can still appear, as PostgreSQL writes it (microseconds): the beginning of
 * the oldest transaction that writes the table, or now. To be asked before the list is read, in a statement of its own.
 *
 * Whoever writes the table holds its lock from before its first row's time (the clock at the row's own insertion, by
 * the column's default) until after its commit. So what was written before this moment is committed, and in the later
 * statement's snapshot; and what is not, holds the lock now, or takes it later. Transactions that write other tables
 * hide nothing. All of it by PostgreSQL's one clock: when somebody sets it back, rows of that span may be missed by
 * whoever pages at that time. Only a role's own sessions show their beginning to it: whatever writes these tables does
 * so by the same role.
 */
export async function writtenBefore(db: Database, table: 'events' | 'open_deliveries'): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    with writers as materialized (
      select distinct pid from pg_locks
      where locktype = 'relation' and relation = ${sql.lit(table)}::regclass and mode = 'RowExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())
    )
    select least(statement_timestamp(), min(a.xact_start))::text as horizon
    from writers join pg_stat_activity a using (pid)`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the horizon statement always answers one row');
  return row.horizon;
}
