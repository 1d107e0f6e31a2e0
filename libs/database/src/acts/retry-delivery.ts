import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../access/audit.js';
import type { Database } from '../connection.js';
import { admitNow, type SentOn } from './admit-now.js';
import { intoOpen } from './into-open.js';
import { retryTransient } from './retry-transient.js';
import { lockStanding, type Standing } from './standing.js';

export type Retried =
  | ({ readonly kind: 'done' } & SentOn)
  | { readonly kind: 'unknown' | 'being_sent' | 'delivered' | 'consumer_removed' | 'event_gone' };

/**
 * Tries a delivery now: one that is open keeps its place in the schedule, and since when it is held, one that is
 * finished begins anew. What holds it at this moment holds it on.
 * @param force a delivered one too
 */
export function retryDelivery(
  db: Database,
  id: string,
  options: { readonly force: boolean },
  audit: AuditEntry,
): Promise<Retried> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<Retried> => {
      const standing = await lockStanding(trx, id);
      if (standing === undefined) return { kind: 'unknown' };
      const refusal = refusalOf(standing, options.force);
      if (refusal !== null) return { kind: refusal };
      await makeDue(trx, id);
      const sentOn = await admitNow(trx, [id]);
      await recordAudit(trx, { ...audit, details: { ...audit.details, from: standing.state } });
      return { kind: 'done', ...sentOn };
    }),
  );
}

function refusalOf(standing: Standing, force: boolean): Exclude<Retried['kind'], 'done' | 'unknown'> | null {
  if (standing.isBeingSent) return 'being_sent';
  if (standing.consumerIsRemoved) return 'consumer_removed';
  if (!standing.eventIsKept) return 'event_gone';
  return standing.state === 'delivered' && !force ? 'delivered' : null;
}

/** A new round makes a job that the queue has not seen; a lease that ran out is given up, and stays the fence. */
async function makeDue(trx: Database, id: string): Promise<void> {
  await sql`
    with due as (
      update open_deliveries
      set state = 'queued', hold_reason = null, lease_until = null, probe = false, reserved = false,
          round = round + 1, next_attempt_at = now()
      where id = ${id}
    ),
    gone as (delete from deliveries where id = ${id} returning *)
    ${intoOpen(sql`gone f`, null)}`.execute(trx);
}
