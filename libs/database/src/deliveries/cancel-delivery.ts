import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Database, Transaction } from '../connection/connection.js';
import { endPending, wasAcknowledged } from '../engine/end-pending.js';
import { lockDelivery } from './lock-delivery.js';
import { retryTransient } from '../connection/retry-transient.js';

export type Cancelled =
  /** Cancelled. The next status of its payment can be due; the caller enqueues the consumer. */
  | { readonly kind: 'done'; readonly consumerId: string }
  | { readonly kind: 'unknown' | 'delivered' | 'already' };

/**
 * Finishes a delivery without sending it, and makes the payment's next status due. An attempt in flight is recorded: the
 * delivery stays cancelled, unless the attempt is acknowledged. A dead delivery becomes cancelled. One that was delivered
 * before it was sent again is delivered.
 */
export function cancelDelivery(db: Database, id: string, audit: AuditEntry): Promise<Cancelled> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<Cancelled> => {
      const delivery = await lockDelivery(trx, id);
      if (delivery === undefined) return { kind: 'unknown' };
      switch (delivery.state) {
        case 'delivered':
          return { kind: 'delivered' };
        case 'cancelled':
          return { kind: 'already' };
        case 'pending':
          await endPending(trx, [id], { state: 'cancelled', reason: 'cancelled_manually' });
          break;
        case 'dead':
          await cancelDead(trx, [id]);
          break;
      }
      await recordAudit(trx, { ...audit, details: { ...audit.details, from: delivery.state } });
      return { kind: 'done', consumerId: delivery.consumerId };
    }),
  );
}

/** Cancels those of the deliveries that are dead, as `endPending` does. @returns how many */
export async function cancelDead(trx: Transaction, ids: readonly string[]): Promise<number> {
  const isDelivered = wasAcknowledged(sql`d.id`);
  const { rows } = await sql`
    update deliveries d
    set state = case when ${isDelivered} then 'delivered' else 'cancelled' end,
        end_reason = case when ${isDelivered} then 'acknowledged' else 'cancelled_manually' end, finished_at = now(),
        settled_at = null, settled_by = null, settle_reason = null
    where d.id = any (${ids}::uuid[]) and d.state = 'dead' returning d.id`.execute(trx);
  return rows.length;
}
