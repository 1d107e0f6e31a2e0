import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../connection/connection.js';
import { cancelDead, reopen } from '../deliveries/cancel-and-retry.js';
import { endPending, lockPending } from '../engine/end-pending.js';
import type { Coverage } from './covered.js';

/** Locked deliveries of a batch, each of which the action still covers. */
export interface LockedBatch {
  readonly pending: readonly string[];
  readonly finished: readonly string[];
}

/** Locks a batch and checks its deliveries again: other transactions may have changed them since it was read. */
export async function lockBatch(
  trx: Transaction,
  ids: readonly string[],
  covers: Coverage,
): Promise<LockedBatch> {
  const locked = await lockPending(trx, ids);
  const { rows: pending } = await sql<{ id: string }>`
    select id from ${sql.table(covers.pendingTable)} where id = any (${locked}::uuid[]) and ${covers.pending}`.execute(
    trx,
  );
  const { rows: finished } = await sql<{ id: string }>`
    select id from deliveries where id = any (${ids}::uuid[]) and ${covers.finished}
    order by id for update`.execute(trx);
  return { pending: pending.map(({ id }) => id), finished: finished.map(({ id }) => id) };
}

/** Cancels a batch, and makes the payments' next statuses due. @returns how many deliveries were cancelled */
export async function cancelBatch(trx: Transaction, { pending, finished }: LockedBatch): Promise<number> {
  const ended = await endPending(trx, pending, { state: 'cancelled', reason: 'cancelled_manually' });
  return ended.length + (await cancelDead(trx, finished));
}

/**
 * Makes a batch due: finished deliveries become pending again, and pending ones are brought forward. All become due
 * at once, since sessions fetch no more than their capacity.
 *
 * `replay` restarts the schedule of pending deliveries and the days for which they may be pending. `retry` skips
 * pending deliveries that are due already or blocked by an earlier status of their payment.
 * @param byConsumer the consumer's people started it: what a person of the bank cancelled stays cancelled
 * @returns how many deliveries were changed
 */
export async function reopenBatch(
  trx: Transaction,
  { action, byConsumer }: { readonly action: 'retry' | 'replay'; readonly byConsumer: boolean },
  { pending, finished }: LockedBatch,
): Promise<number> {
  const moved = await bringForward(trx, action, pending);
  // Reads the events first: then retention either sees the pending delivery, or has dropped its event before.
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d join consumers c on c.id = d.consumer_id and c.deleted_at is null
    where d.id = any (${finished}::uuid[])
      and not (${byConsumer}::boolean and d.end_reason = 'cancelled_manually')
      -- A scalar subquery, so that the planner uses the primary key for each row, whatever the statistics.
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

/** An ended session is sending it, and records the answer; the delivery does not become due before. */
const IS_SENT = sql`(d.held_session is not null and d.record_refused_at is null)`;

/** An overdue delivery keeps its due time. A blocked one is not made due: its fetch would be in vain. */
const CHANGES: Readonly<Record<'retry' | 'replay', RawBuilder<unknown>>> = {
  retry: sql`next_attempt_at = now(), held_session = null, record_refused_at = null`,
  replay: sql`schedule_step = 0, pending_since = now(),
    held_session = case when d.record_refused_at is null then d.held_session end, record_refused_at = null,
    next_attempt_at = case when b.is_blocked or ${IS_SENT} then d.next_attempt_at else least(d.next_attempt_at, now()) end`,
};

const MOVES: Readonly<Record<'retry' | 'replay', RawBuilder<unknown>>> = {
  retry: sql`d.next_attempt_at > now() and not b.is_blocked and not ${IS_SENT}`,
  replay: sql`true`,
};

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
