import { sql, type RawBuilder } from 'kysely';

/**
 * Opens rows again that were deleted from the history; `gone` names them, as `f`. The schedule begins anew. Attempts,
 * lease and round go on: no attempt number comes twice, a worker of the former life is fenced off, and no job is
 * taken for a former one.
 *
 * @param holdReason null: it is queued, and due now.
 */
export const intoOpen = (
  gone: RawBuilder<unknown>,
  holdReason: 'concurrency' | null,
): RawBuilder<unknown> => sql`
  insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, hold_reason,
                               held_since, attempts, first_attempt_at, lease, round, last_outcome, last_http_status,
                               created_at)
  select f.id, f.event_id, f.consumer_id, f.event_type, f.payment_id, f.number,
         ${sql.lit(holdReason === null ? 'queued' : 'held')}, ${sql.lit(holdReason)},
         ${holdReason === null ? sql`null` : sql`now()`}, f.attempts, f.first_attempt_at, f.lease, f.round + 1,
         f.last_outcome, f.last_http_status, f.created_at
  from ${gone}`;
