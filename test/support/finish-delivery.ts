import type { FinalState } from '#libs/contracts';
import type { Queryable } from '#libs/database';
import { sql } from 'kysely';

/** Moves pending deliveries to history in a final state; by default as an acknowledged attempt does. */
export async function finishDeliveries(
  db: Queryable,
  ids: readonly string[],
  state: FinalState = 'delivered',
): Promise<void> {
  await sql`
    select finish_deliveries(array_agg(id), array_agg(${state}::text), array_agg('acknowledged'::text),
                             array_agg('acknowledged'::text), array_agg(200), array_agg(now()))
    from unnest(${ids}::uuid[]) d (id) having count(*) > 0`.execute(db);
}
