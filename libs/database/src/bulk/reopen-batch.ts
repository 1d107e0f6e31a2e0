import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../connection.js';
import { reopen } from '../operations/reopen.js';
import type { LockedBatch } from './batch.js';

/**
 * Makes a batch due: what is finished becomes pending again, what is pending is brought forward. All of it at once, since
 * sessions fetch no more than they have room for.
 *
 * `replay` begins the schedule of what is pending anew, and the days for which it may be pending; `retry` leaves alone
 * what is due already, or waits for an earlier status of its payment.
 * @returns how many were moved
 */
export async function reopenBatch(
  trx: Transaction,
  action: 'retry' | 'replay',
  { pending, finished }: LockedBatch,
): Promise<number> {
  const moved = await bringForward(trx, action, pending);
  // The events are read first: retention drops a week only when nothing of it is pending.
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d join consumers c on c.id = d.consumer_id and c.deleted_at is null
    where d.id = any (${finished}::uuid[])
      -- A scalar, so that the planner uses the primary key for each, independent of the statistics.
      and (select e.id from events e where e.id = d.event_id) is not null`.execute(trx);
  const reopened = await reopen(
    trx,
    rows.map(({ id }) => id),
  );
  return moved + reopened.length;
}

async function bringForward(
  trx: Transaction,
  action: 'retry' | 'replay',
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    update pending_deliveries d set ${CHANGES[action]}
    from (
      select q.id, c.ordering = 'payment' and exists (
               select from pending_deliveries p
               where p.consumer_id = q.consumer_id and p.event_type = q.event_type and p.payment_id = q.payment_id
                 and p.number < q.number) as is_blocked
      from pending_deliveries q join consumers c on c.id = q.consumer_id and c.deleted_at is null
      where q.id = any (${ids}::uuid[])
    ) b
    where d.id = any (array[b.id]) and ${MOVES[action]}
    returning d.id`.execute(trx);
  return rows.length;
}

/** What is overdue keeps its place, and a status that waits for an earlier one is not fetched in vain. */
const CHANGES: Readonly<Record<'retry' | 'replay', RawBuilder<unknown>>> = {
  retry: sql`next_attempt_at = now()`,
  replay: sql`schedule_step = 0, pending_since = now(),
    next_attempt_at = case when b.is_blocked then d.next_attempt_at else least(d.next_attempt_at, now()) end`,
};

const MOVES: Readonly<Record<'retry' | 'replay', RawBuilder<unknown>>> = {
  retry: sql`d.next_attempt_at > now() and not b.is_blocked`,
  replay: sql`true`,
};
