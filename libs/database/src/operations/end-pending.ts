import type { EndReason } from '#libs/contracts';
import { sql } from 'kysely';
import type { Transaction } from '../connection.js';

/** The end of a delivery that is not the result of an attempt. */
export type Ending =
  | {
      readonly state: 'cancelled';
      readonly reason: Extract<EndReason, 'cancelled_manually' | 'consumer_removed'>;
    }
  | { readonly state: 'dead'; readonly reason: Extract<EndReason, 'pending_too_long'> };

/**
 * Ends pending deliveries, which the caller has locked, and makes the next status of each payment due; see the
 * function `finish_deliveries`. An attempt in flight is recorded, and changes nothing else.
 * @returns the ended deliveries
 */
export async function endPending(
  trx: Transaction,
  ids: readonly string[],
  { state, reason }: Ending,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // PostgreSQL caches the function's plans: one that was made while the table was nearly empty would later read all
  // of it. The connections of the hot path always have this setting.
  await sql`set local enable_seqscan = off`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select id from finish_deliveries(
      ${ids}::uuid[], array_fill(${state}::text, array[${ids.length}::int]),
      array_fill(${reason}::text, array[${ids.length}::int]),
      array_fill(null::text, array[${ids.length}::int]), array_fill(null::int, array[${ids.length}::int]),
      array_fill(null::timestamptz, array[${ids.length}::int])) as id`.execute(trx);
  return rows.map((row) => row.id);
}
