import { sql } from 'kysely';
import type { Transaction } from '../connection/connection.js';

/** Marks dead deliveries as dealt with in another way, by whom and how. @returns how many were still open */
export async function settle(
  trx: Transaction,
  ids: readonly string[],
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<number> {
  const { rows } = await sql`
    update deliveries set settled_at = now(), settled_by = ${by}, settle_reason = ${reason}
    where id = any (${ids}::uuid[]) and state = 'dead' and settled_at is null returning id`.execute(trx);
  return rows.length;
}
