import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Database, Transaction } from '../connection/connection.js';
import { lockDelivery, type LockedDelivery } from './lock-delivery.js';
import { reopen } from './reopen.js';
import { retryTransient } from '../connection/retry-transient.js';

export type Retried =
  /** The delivery is due; the caller enqueues the consumer. */
  | { readonly kind: 'done'; readonly consumerId: string }
  | { readonly kind: 'unknown' | 'delivered' | 'cancelled_by_bank' | 'consumer_removed' | 'event_gone' };

/**
 * Makes a delivery due now: a pending one keeps its place in the schedule, a finished one gets a new schedule. A hold
 * of its consumer or its payment still applies.
 * @param options.force also for a delivered one
 * @param options.consumerId only if it is this consumer's, for its people: what a person of the bank cancelled stays cancelled
 */
export function retryDelivery(
  db: Database,
  id: string,
  options: { readonly force: boolean; readonly consumerId?: string | undefined },
  audit: AuditEntry,
): Promise<Retried> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<Retried> => {
      const delivery = await lockDelivery(trx, id, options.consumerId);
      if (delivery === undefined) return { kind: 'unknown' };
      if (options.consumerId !== undefined && delivery.endReason === 'cancelled_manually')
        return { kind: 'cancelled_by_bank' };
      if (delivery.state === 'delivered' && !options.force) return { kind: 'delivered' };
      const obstacle = await obstacleTo(trx, delivery);
      if (obstacle !== null) return { kind: obstacle };
      if (delivery.state === 'pending') await makeDue(trx, id);
      else await reopen(trx, [id]);
      await recordAudit(trx, { ...audit, details: { ...audit.details, from: delivery.state } });
      return { kind: 'done', consumerId: delivery.consumerId };
    }),
  );
}

/**
 * The event is read before its delivery becomes pending again: retention drops a week only when none of its
 * deliveries is pending.
 */
async function obstacleTo(
  trx: Transaction,
  { eventId, consumerId }: LockedDelivery,
): Promise<'consumer_removed' | 'event_gone' | null> {
  const { rows } = await sql<{ kept: boolean; removed: boolean }>`
    select exists (select from events where id = ${eventId}) as kept,
           (select deleted_at is not null from consumers where id = ${consumerId}) as removed`.execute(trx);
  if (rows[0]?.removed === true) return 'consumer_removed';
  return rows[0]?.kept === true ? null : 'event_gone';
}

/**
 * An overdue delivery keeps its due time, and so its place among the overdue ones. One that an ended session is still
 * sending waits for its answer, unless PostgreSQL refuses the record of that answer.
 */
async function makeDue(trx: Transaction, id: string): Promise<void> {
  await sql`
    update pending_deliveries
    set next_attempt_at = least(next_attempt_at, now()), held_session = null, record_refused_at = null
    where id = ${id} and (held_session is null or record_refused_at is not null)`.execute(trx);
}
