import type { EndReason, FinalState } from '#libs/contracts';
import { sql } from 'kysely';
import type { Transaction } from '../connection/connection.js';

/** A delivery that is locked for an operator's command until the transaction ends. */
export interface LockedDelivery {
  readonly id: string;
  readonly consumerId: string;
  readonly eventId: string;
  readonly state: 'pending' | FinalState;
  /** Null while it is pending. */
  readonly endReason: EndReason | null;
}

type Look = LockedDelivery | { readonly id: null };

/**
 * Locks a delivery in the table that contains it. Waits while a result of it is being recorded. The result of an
 * attempt in flight is recorded after the command, to the delivery as the command has left it.
 * @param consumerId only if it is this consumer's; a delivery of another one is not locked
 * @returns undefined when there is no such delivery
 */
export async function lockDelivery(
  trx: Transaction,
  id: string,
  consumerId?: string,
): Promise<LockedDelivery | undefined> {
  const wanted = consumerId === undefined ? sql`id = ${id}` : sql`id = ${id} and consumer_id = ${consumerId}`;
  for (;;) {
    // Each look has a newer snapshot: it sees the change for which the former look waited.
    const { rows } = await sql<Look>`
      with pending as (
        select id, consumer_id, event_id, 'pending' as state, null as end_reason
        from pending_deliveries where ${wanted} for update
      ),
      finished as (select id, consumer_id, event_id, state, end_reason from deliveries where ${wanted} for update)
      select d.id, d.consumer_id as "consumerId", d.event_id as "eventId", d.state,
              d.end_reason as "endReason"
      from (select from pending_deliveries where ${wanted} union all select from deliveries where ${wanted}) known
      left join (select * from pending union all select * from finished) d on true`.execute(trx);
    const [look] = rows;
    if (look === undefined) return undefined;
    // Null: known, but moved to the other table while this look waited for its lock.
    if (look.id !== null) return look;
  }
}
