import { sql } from 'kysely';
import type { Queryable } from '../connection/connection.js';

/** A delivery that was sent, and whose attempt PostgreSQL refuses to record. */
export interface Unrecorded {
  readonly deliveryId: string;
  readonly consumerId: string;
  readonly session: number;
}

/**
 * Holds a delivery whose attempt cannot be recorded, so that it is not sent again: until its session records it, an
 * operator retries it, or it has been pending for too long. Does nothing if the session was replaced.
 */
export async function holdUnrecorded(
  db: Queryable,
  { deliveryId, consumerId, session }: Unrecorded,
): Promise<void> {
  await sql`
    update pending_deliveries p
    set held_session = ${session}::bigint, record_refused_at = now(), next_attempt_at = now() + interval '14 days'
    where p.id = ${deliveryId}
      and (p.held_session = ${session}::bigint
           or exists (select from consumer_runtime r where r.consumer_id = ${consumerId} and r.session = ${session}::bigint))`.execute(
    db,
  );
}
