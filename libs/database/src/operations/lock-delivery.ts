import type { FinalState } from '#libs/contracts';
import { sql } from 'kysely';
import type { Transaction } from '../connection.js';

/** A delivery as an operator's command finds it, locked until the transaction ends. */
export interface LockedDelivery {
  readonly id: string;
  readonly consumerId: string;
  readonly eventId: string;
  readonly state: 'pending' | FinalState;
}

/** A delivery may move between the two tables while this waits for its lock: pending, finished, retried, finished. */
const LOOKS = 4;

/**
 * Locks a delivery in the table that holds it. Waits while a result of it is being recorded. The result of an attempt
 * that is still under way is recorded afterwards, and then finds the delivery as the command has left it.
 * @returns undefined when there is no such delivery
 */
export async function lockDelivery(trx: Transaction, id: string): Promise<LockedDelivery | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    // Each look has a newer snapshot: it finds what the lock of the former one waited for and lost.
    const { rows } = await sql<LockedDelivery>`
      with pending as (
        select id, consumer_id, event_id, 'pending' as state from pending_deliveries where id = ${id} for update
      ),
      finished as (select id, consumer_id, event_id, state from deliveries where id = ${id} for update)
      select id, consumer_id as "consumerId", event_id as "eventId", state
      from (select * from pending union all select * from finished) d`.execute(trx);
    if (rows[0] !== undefined) return rows[0];
  }
  return undefined;
}

/**
 * Locks pending deliveries in the order that all use; the caller's next statement sees what the locks waited for.
 * @returns those that are there
 */
export async function lockPending(trx: Transaction, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from pending_deliveries d where d.id = any (${ids}::uuid[])
    order by d.consumer_id, d.event_type, d.payment_id, d.number, d.id for update of d`.execute(trx);
  return rows.map((row) => row.id);
}
