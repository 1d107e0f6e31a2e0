import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** One that fails for a reason of ours must neither fill its consumer's window nor stand in the way of its probes. */
const AGAIN_AFTER_MS = 5_000;

/**
 * Ends a lease without an attempt: a fault of ours came between **take** and the POST. Fenced like **record**.
 * @returns when it is due again and in which round; undefined when another worker has it
 */
export async function putBack(
  db: Database,
  taken: { readonly deliveryId: string; readonly lease: number },
): Promise<{ readonly round: number; readonly dueInMs: number } | undefined> {
  const { rows } = await sql<{ round: number }>`
    update open_deliveries
    set state = 'queued', lease_until = null, probe = false, round = round + 1,
        next_attempt_at = now() + ${AGAIN_AFTER_MS}::int * interval '1 millisecond'
    where id = ${taken.deliveryId} and lease = ${taken.lease} and state = 'sending'
    returning round`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : { round: row.round, dueInMs: AGAIN_AFTER_MS };
}
