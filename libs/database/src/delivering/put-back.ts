import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** One that fails for a reason of ours must neither fill its consumer's window nor stand in the way of its probes. */
const AGAIN_AFTER_MS = 5_000;

/** Ends a lease without an attempt: a fault of ours came between **take** and the POST. Fenced like **record**. */
export async function putBack(
  db: Database,
  taken: { readonly deliveryId: string; readonly lease: number },
): Promise<void> {
  await sql`
    update open_deliveries
    set state = 'queued', lease_until = null, probe = false,
        next_attempt_at = now() + ${AGAIN_AFTER_MS}::int * interval '1 millisecond'
    where id = ${taken.deliveryId} and lease = ${taken.lease} and state = 'sending'`.execute(db);
}
