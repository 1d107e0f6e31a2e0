import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** Ends a lease without an attempt: a fault of ours came between **take** and the POST. Fenced like **record**. */
export async function putBack(
  db: Database,
  taken: { readonly deliveryId: string; readonly lease: number },
): Promise<void> {
  await sql`
    update open_deliveries set state = 'queued', lease_until = null, probe = false
    where id = ${taken.deliveryId} and lease = ${taken.lease} and state = 'sending'`.execute(db);
}
