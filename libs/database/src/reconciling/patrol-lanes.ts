import { sql } from 'kysely';
import { lookedUp } from '../by-primary-key.js';
import type { Database } from '../connection.js';

export interface Patrolled {
  /** Released, although **record** should have done so: a fault of ours. */
  readonly released: readonly {
    readonly deliveryId: string;
    readonly consumerId: string;
    readonly round: number;
  }[];
  /** Where the next patrol goes on; null: from the beginning. */
  readonly cursor: string | null;
}

/**
 * Looks at the next `limit` open deliveries for one that waits for its turn although nothing is before it. There is one
 * only when a worker was killed between `record` and the second look that `record` takes when the next delivery was
 * locked. A search would cost what is held; this reads a few rows each time, and all of them in the end.
 */
export async function patrolLanes(db: Database, cursor: string | null, limit: number): Promise<Patrolled> {
  const { rows } = await sql<{
    seen: number;
    last: string | null;
    released: { id: string; consumer_id: string; round: number }[];
  }>`
    with seen as materialized (
      select * from open_deliveries
      where ${cursor === null ? sql`true` : sql`id > ${cursor}::uuid`} order by id limit ${limit}::int
    ),
    orphan as materialized (
      select d.id from open_deliveries d
      where d.state = 'held' and d.hold_reason = 'order'
        and d.id = any (array(
          select h.id from seen h
          where h.state = 'held' and h.hold_reason = 'order' and not exists (
            select from open_deliveries p
            where p.consumer_id = h.consumer_id and p.event_type = h.event_type and p.payment_id = h.payment_id
              and p.number < h.number
          )
        ))
      for no key update of d skip locked
    ),
    released as (
      update open_deliveries d
      set state = 'queued', hold_reason = null, round = d.round + 1, next_attempt_at = now()
      from orphan where ${lookedUp('d.id', 'orphan.id')}
      returning d.id, d.consumer_id, d.round
    )
    select (select count(*)::int from seen) as seen, (select id from seen order by id desc limit 1) as last,
           coalesce((select json_agg(released) from released), '[]') as released`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the patrol always answers one row');
  return {
    released: row.released.map((one) => ({
      deliveryId: one.id,
      consumerId: one.consumer_id,
      round: one.round,
    })),
    cursor: row.seen < limit ? null : row.last,
  };
}
