import { sql } from 'kysely';
import type { Database } from '../connection.js';
import { intoHistory } from '../delivering/into-history.js';

/**
 * Cancels what is open for consumers that were removed, also what was accepted during the removal: at most `limit`
 * rows, those that nobody holds or is sending at this moment, so that a backlog of millions is cleared in short steps.
 * @returns how many were cancelled
 */
export async function cancelOfRemovedConsumers(db: Database, limit: number): Promise<number> {
  const { rows } = await sql`
    with doomed as (
      select d.id from consumers c
      cross join lateral (
        -- Not a join: without statistics PostgreSQL would read everything that is open.
        select o.id from open_deliveries o where o.consumer_id = c.id and (o.state <> 'sending' or o.lease_until <= now())
        limit ${limit}::int for update skip locked
      ) d
      where c.deleted_at is not null
      limit ${limit}::int
    ),
    gone as (
      delete from open_deliveries d where d.id = any (array(select id from doomed)) returning d.*
    )
    ${intoHistory(sql`gone f`, { state: sql`'cancelled'`, endReason: sql`'consumer_removed'` })}
    returning id`.execute(db);
  return rows.length;
}

/** Gives a gate to consumers that have none: registered by a former release while this one already ran. */
export async function makeMissingGates(db: Database): Promise<void> {
  await sql`
    insert into consumer_gates (consumer_id)
    select id from consumers c where not exists (select from consumer_gates g where g.consumer_id = c.id)
    on conflict do nothing`.execute(db);
}
