import type { EndReason } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../connection/connection.js';
import { retryTransient } from '../connection/faults.js';

/**
 * Locks pending deliveries, which the caller may end, in the common lock order; see the function `lock_ending`. The
 * caller's next statement sees the changes for which the locks waited.
 * @returns the ids that still exist
 */
export async function lockPending(trx: Transaction, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from lock_ending(${ids}::uuid[]) locked (id)`.execute(
    trx,
  );
  return rows.map((row) => row.id);
}

/** The end of a delivery that is not the result of an attempt. */
type Ending =
  | {
      readonly state: 'cancelled';
      readonly reason: Extract<EndReason, 'cancelled_manually' | 'consumer_removed'>;
    }
  | { readonly state: 'dead'; readonly reason: Extract<EndReason, 'pending_too_long'> };

/**
 * Ends pending deliveries, which the caller has locked, and makes the next status of each payment due; see the
 * function `finish_deliveries`. An attempt in flight is recorded afterwards, and ends its delivery as delivered if it is
 * acknowledged. A delivered delivery that is being sent again is not cancelled, but delivered again.
 * @returns the ended deliveries
 */
export async function endPending(
  trx: Transaction,
  ids: readonly string[],
  { state, reason }: Ending,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // PostgreSQL caches the function's plans: one that was made while the table was nearly empty would later read all
  // of it. The connections of the hot path always have this setting.
  await sql`set local enable_seqscan = off`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    with ending as (
      select e.id, ${state} = 'cancelled' and ${wasAcknowledged(sql`e.id`)} as is_delivered
      from unnest(${ids}::uuid[]) e (id)
    )
    select ended.id from (
      select array_agg(e.id) as ids,
             array_agg(case when e.is_delivered then 'delivered' else ${state} end) as states,
             array_agg(case when e.is_delivered then 'acknowledged' else ${reason} end) as reasons,
             array_agg(null::text) as outcomes, array_agg(null::int) as http_statuses,
             array_agg(null::timestamptz) as started
      from ending e
    ) e
    cross join lateral finish_deliveries(e.ids, e.states, e.reasons, e.outcomes, e.http_statuses, e.started) ended`.execute(
    trx,
  );
  return rows.map((row) => row.id);
}

/**
 * Whether an attempt of a delivery was acknowledged. A scalar subquery, so that the planner uses the primary key for each
 * delivery, whatever the statistics.
 */
export const wasAcknowledged = (id: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  (select a.number from attempts a where a.delivery_id = ${id} and a.outcome = 'acknowledged' limit 1) is not null`;

/**
 * Cancels pending deliveries of removed consumers, including those accepted during the removal: at most `limit` rows,
 * so that a backlog of millions is cleared in short steps. The next step cancels deliveries that are being recorded
 * now.
 * @returns how many were cancelled
 */
export function cancelOfRemovedConsumers(db: Database, limit: number): Promise<number> {
  return retryTransient(() =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string }>`
        select d.id from consumers c
        cross join lateral (
          -- Not a join: without statistics PostgreSQL would read everything that is pending.
          select p.id from pending_deliveries p where p.consumer_id = c.id limit ${limit}::int
        ) d
        where c.deleted_at is not null
        limit ${limit}::int`.execute(trx);
      const locked = await lockPending(
        trx,
        rows.map(({ id }) => id),
      );
      const cancelled = await endPending(trx, locked, { state: 'cancelled', reason: 'consumer_removed' });
      return cancelled.length;
    }),
  );
}
