import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../access/audit.js';
import type { Database } from '../connection.js';
import { intoHistory } from '../delivering/into-history.js';
import { releaseNextInLane, type Released } from '../delivering/release-next-in-lane.js';
import { retryTransient } from './retry-transient.js';
import { lockStanding } from './standing.js';

export type Cancelled =
  | { readonly kind: 'done'; readonly released: readonly Released[] }
  | { readonly kind: 'unknown' | 'being_sent' | 'delivered' | 'already' };

/** Finishes a delivery without sending it, and lets go what waited for it. A dead one has been dealt with. */
export function cancelDelivery(db: Database, id: string, audit: AuditEntry): Promise<Cancelled> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<Cancelled> => {
      const standing = await lockStanding(trx, id);
      if (standing === undefined) return { kind: 'unknown' };
      if (standing.isBeingSent) return { kind: 'being_sent' };
      if (standing.state === 'delivered') return { kind: 'delivered' };
      if (standing.state === 'cancelled') return { kind: 'already' };
      await cancelLocked(trx, [id]);
      await recordAudit(trx, { ...audit, details: { ...audit.details, from: standing.state } });
      return {
        kind: 'done',
        released: await releaseNextInLane(trx, standing.lane === null ? [] : [standing.lane]),
      };
    }),
  );
}

/** Cancels these, which the caller has locked and seen to be open or dead. */
export async function cancelLocked(trx: Database, ids: readonly string[]): Promise<void> {
  await sql`
    with dead as (
      update deliveries set state = 'cancelled', end_reason = 'cancelled_by_hand', finished_at = now()
      where id = any (${ids}::uuid[]) and state = 'dead'
    ),
    gone as (delete from open_deliveries where id = any (${ids}::uuid[]) returning *)
    ${intoHistory(sql`gone f`, { state: sql`'cancelled'`, endReason: sql`'cancelled_by_hand'` })}`.execute(
    trx,
  );
}
