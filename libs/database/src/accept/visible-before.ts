import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** First half of the advisory locks' key; the second is not used. */
const ACCEPTS = 1_684_632_432;

/**
 * Said by every accept before it has a transaction id, and true until it ends: a shared lock that nobody waits
 * for, and that other transactions can see.
 */
export const acceptIsUnderWay = sql`pg_advisory_xact_lock_shared(${sql.lit(ACCEPTS)}, 0)`;

/**
 * The transaction id below which every accept has ended. To be asked before the list is read, in a statement of
 * its own: what has ended by then is in the later statement's snapshot, and what has not will be sorted behind.
 * Only accepts of this database count: a long transaction of somebody else hides nothing.
 *
 * A lock shows 32 bits of a transaction id; the rest is that of the next one to be given out, from which it is
 * less than 2^32 away.
 */
export async function visibleBefore(db: Database): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    with locks as materialized (select * from pg_locks where granted),
    running as (
      select own.transactionid::text::bigint as xid
      from locks accept join locks own on own.pid = accept.pid
      where accept.locktype = 'advisory' and accept.classid = ${sql.lit(ACCEPTS)}
        and accept.database = (select oid from pg_database where datname = current_database())
        and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock'
    ),
    next as (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xid)
    select coalesce((select min(n.xid - ((n.xid - r.xid) & 4294967295)) from running r), n.xid)::text as horizon
    from next n`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the horizon statement always answers one row');
  return row.horizon;
}
