import type { Queryable } from '#libs/database';
import { sql } from 'kysely';

/** The number of rows of a delivery, whether it is pending and due, its attempt counter, and its stored attempts. */
export async function countsOf(
  db: Queryable,
  id: string,
): Promise<{ rows: number; isDue: boolean; counted: number; kept: number }> {
  const { rows } = await sql<{ rows: number; isDue: boolean; counted: number; kept: number }>`
    with found as (
      select attempts, next_attempt_at <= clock_timestamp() as is_due from pending_deliveries where id = ${id}
      union all select attempts, false from deliveries where id = ${id}
    )
    select (select count(*)::int from found) as rows, (select bool_or(is_due) from found) as "isDue",
           (select max(attempts) from found) as counted,
           (select count(*)::int from attempts where delivery_id = ${id}) as kept`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a query of counts always returns a row');
  return row;
}

/** The event of a pending delivery. */
export async function notificationOf(db: Queryable, id: string): Promise<{ notificationId: string }> {
  const row = await db
    .selectFrom('pending_deliveries')
    .select('event_id as notificationId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row;
}
