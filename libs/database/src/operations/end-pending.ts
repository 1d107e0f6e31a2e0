import type { EndReason } from '#libs/contracts';
import { sql } from 'kysely';
import type { Transaction } from '../connection.js';

/** How a delivery ends that no attempt has ended. */
export type Ending =
  | {
      readonly state: 'cancelled';
      readonly reason: Extract<EndReason, 'cancelled_manually' | 'consumer_removed'>;
    }
  | { readonly state: 'dead'; readonly reason: Extract<EndReason, 'pending_too_long'> };

/**
 * Ends pending deliveries, which the caller has locked, and makes the next status of each payment due; see the function
 * `finish_deliveries`. An attempt that is under way is recorded all the same, and changes nothing else.
 * @returns those that ended
 */
export async function endPending(
  trx: Transaction,
  ids: readonly string[],
  { state, reason }: Ending,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // The function's plans are kept: one that was made while the table was nearly empty would read all of it later. The
  // hot path's connections have this setting for good.
  await sql`set local enable_seqscan = off`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select id from finish_deliveries(
      ${ids}::uuid[], array_fill(${state}::text, array[${ids.length}::int]),
      array_fill(${reason}::text, array[${ids.length}::int]),
      array_fill(null::text, array[${ids.length}::int]), array_fill(null::int, array[${ids.length}::int]),
      array_fill(null::timestamptz, array[${ids.length}::int])) as id`.execute(trx);
  return rows.map((row) => row.id);
}
