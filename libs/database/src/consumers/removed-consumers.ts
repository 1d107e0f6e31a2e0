import { sql } from 'kysely';
import type { Database } from '../connection/connection.js';
import { endPending, lockPending } from '../engine/end-pending.js';
import { retryTransient } from '../connection/retry-transient.js';

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
