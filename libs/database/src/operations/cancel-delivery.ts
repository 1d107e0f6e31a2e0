import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../access/audit.js';
import type { Database, Transaction } from '../connection.js';
import { endPending } from './end-pending.js';
import { lockDelivery } from './lock-delivery.js';
import { retryTransient } from './retry-transient.js';

export type Cancelled =
  /** Cancelled. The next status of its payment can be due; the caller enqueues the consumer. */
  | { readonly kind: 'done'; readonly consumerId: string }
  | { readonly kind: 'unknown' | 'delivered' | 'already' };

/**
 * Finishes a delivery without sending it, and makes the payment's next status due. An attempt in flight is recorded,
 * and the delivery stays cancelled. A dead delivery becomes cancelled.
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

/** Cancels those of the deliveries that are dead. @returns how many */
export async function cancelDead(trx: Transaction, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    update deliveries set state = 'cancelled', end_reason = 'cancelled_manually', finished_at = now(),
      settled_at = null, settled_by = null, settle_reason = null
    where id = any (${ids}::uuid[]) and state = 'dead' returning id`.execute(trx);
  return rows.length;
}
