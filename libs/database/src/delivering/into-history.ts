import { sql, type RawBuilder } from 'kysely';

/** What a delivery's end says of it; `f` stands for the row that was removed from the open ones. */
interface Ending {
  readonly state: RawBuilder<unknown>;
  readonly endReason: RawBuilder<unknown>;
  /** The attempt that ended it, where one did, and what it came to; else they stay as they were. */
  readonly attempts?: RawBuilder<unknown>;
  readonly lastOutcome?: RawBuilder<unknown>;
  readonly lastHttpStatus?: RawBuilder<unknown>;
}

/** Writes rows that were deleted from `open_deliveries` into the history; `gone` names them, as `f`. */
export const intoHistory = (gone: RawBuilder<unknown>, ending: Ending): RawBuilder<unknown> => sql`
  insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, attempts, lease, round,
                          last_outcome, last_http_status, created_at, first_attempt_at, finished_at, end_reason)
  select f.id, f.event_id, f.consumer_id, f.event_type, f.payment_id, f.number, ${ending.state},
         ${ending.attempts ?? sql`f.attempts`}, f.lease, f.round, ${ending.lastOutcome ?? sql`f.last_outcome`},
         ${ending.lastHttpStatus ?? sql`f.last_http_status`}, f.created_at, f.first_attempt_at, now(),
         ${ending.endReason}
  from ${gone}`;
