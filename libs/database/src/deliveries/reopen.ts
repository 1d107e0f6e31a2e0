import { sql } from 'kysely';
import type { Transaction } from '../connection/connection.js';

/**
 * Makes finished deliveries pending again, due now, with their schedule from the beginning. Attempts keep their
 * numbers and are counted further; a settlement is removed. The caller has locked the deliveries, and checked that
 * their events exist.
 * @returns the deliveries that were finished
 */
export async function reopen(trx: Transaction, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with gone as (delete from deliveries d where d.id = any (${ids}::uuid[]) returning d.*)
    insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status, attempts,
                                    first_attempt_at, last_outcome, last_http_status, created_at)
    select f.id, f.event_id, f.consumer_id, f.event_type, f.payment_id, f.number, f.status, f.attempts, f.first_attempt_at,
           f.last_outcome, f.last_http_status, f.created_at
    from gone f returning id`.execute(trx);
  return rows.map((row) => row.id);
}
