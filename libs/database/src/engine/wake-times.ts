import { WORKER_GONE_AFTER_MS } from '#libs/policy';
import { sql } from 'kysely';
import type { Database, Queryable } from '../connection/connection.js';

/** A consumer that has work now or soon, and that no worker reports to serve. */
interface WakeTime {
  readonly consumerId: string;
  /** Milliseconds until the work is due; negative: it is overdue. */
  readonly inMs: number;
}

/**
 * Returns the consumers that no live worker serves, with the time of their next work: overdue by at least
 * `overdueMs`, or due within `withinMs`. Work that has just become due will be fetched, or is found overdue by the
 * next call. Costs one index look-up per consumer, for any number of pending deliveries.
 */
export async function wakeTimes(
  db: Queryable,
  { overdueMs, withinMs }: { readonly overdueMs: number; readonly withinMs: number },
): Promise<WakeTime[]> {
  const { rows } = await sql<WakeTime>`
    select w.consumer_id as "consumerId", w.in_ms as "inMs" from (
      select consumer_id, (extract(epoch from wake_at - clock_timestamp()) * 1000)::float8 as in_ms
      from consumer_wake where wake_at is not null
      -- Its columns are worked out once.
      offset 0
    ) w
    where (w.in_ms <= ${-overdueMs}::float8 or (w.in_ms > 0 and w.in_ms <= ${withinMs}::float8))
      and not w.consumer_id = any (array(
        select unnest(sessions) from workers
        where seen_at > now() - ${WORKER_GONE_AFTER_MS}::int * interval '1 millisecond'))
    order by w.in_ms`.execute(db);
  return rows;
}

/** Returns the consumers with work that is due now. */
export async function consumersDue(db: Database): Promise<string[]> {
  const { rows } = await sql<{ consumer_id: string }>`
    select consumer_id from consumer_wake where wake_at <= clock_timestamp()`.execute(db);
  return rows.map((row) => row.consumer_id);
}
