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

/** Moves pending deliveries to history as an operator's command does. */
export async function cancelDeliveries(db: Queryable, ids: readonly string[]): Promise<void> {
  await sql`
    select finish_deliveries(array_agg(id), array_agg('cancelled'::text), array_agg('cancelled_manually'::text),
                             array_agg(null::text), array_agg(null::int), array_agg(null::timestamptz))
    from unnest(${ids}::uuid[]) d (id) having count(*) > 0`.execute(db);
}
