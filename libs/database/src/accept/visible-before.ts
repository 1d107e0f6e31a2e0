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
 * A lock shows 32 bits of a transaction id. The rest is that of the snapshot's upper end, which is less than 2^31
 * away, above or below: it follows the last transaction that has ended, and others may run beyond it. Of an accept
 * that has its id, and not yet the lock that shows it, only the snapshot's lower end is known.
 */
export async function visibleBefore(db: Database): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    with locks as materialized (select * from pg_locks where granted),
    running as (
      select own.transactionid::text::bigint as low_bits
      from locks accept
      left join locks own
        on own.pid = accept.pid and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock'
      where accept.locktype = 'advisory' and accept.classid = ${sql.lit(ACCEPTS)}
        and accept.database = (select oid from pg_database where datname = current_database())
    ),
    bounds as (
      select pg_snapshot_xmin(s)::text::bigint as lower, pg_snapshot_xmax(s)::text::bigint as upper
      from pg_current_snapshot() s
    ),
    oldest as (
      select min(case when low_bits is null then lower
                      else upper + (((low_bits - upper) & 4294967295) + 2147483648 & 4294967295) - 2147483648
                 end) as xid
      from running, bounds
    )
    select least(coalesce(oldest.xid, upper), upper)::text as horizon from oldest, bounds`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the horizon statement always answers one row');
  return row.horizon;
}
