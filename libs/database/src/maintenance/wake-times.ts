import { WORKER_GONE_AFTER_MS } from '#libs/policy';
import { sql } from 'kysely';
import type { Database, Queryable } from '../connection.js';

/** A consumer that has something to do now or soon, and that no worker has reported to serve. */
export interface WakeTime {
  readonly consumerId: string;
  /** Negative: overdue for so long. */
  readonly inMs: number;
}

/**
 * When the consumers have something to do, those that no live worker serves: overdue by `overdueMs` at least, or in the
 * future and within `withinMs`. What has just become due is about to be fetched, or found overdue the next time. Costs one
 * probe of an index for each consumer, however much is pending.
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

/** The consumers that have something to do now. */
export async function consumersDue(db: Database): Promise<string[]> {
  const { rows } = await sql<{ consumer_id: string }>`
    select consumer_id from consumer_wake where wake_at <= clock_timestamp()`.execute(db);
  return rows.map((row) => row.consumer_id);
}
