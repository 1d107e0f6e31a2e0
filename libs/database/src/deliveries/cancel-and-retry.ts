import type { EndReason, FinalState } from '#libs/contracts';
import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Database, Transaction } from '../connection/connection.js';
import { retryTransient } from '../connection/faults.js';
import { endPending, wasAcknowledged } from '../engine/end-pending.js';

export type Retried =
  /** The delivery is due; the caller enqueues the consumer. */
  | { readonly kind: 'done'; readonly consumerId: string }
  | { readonly kind: 'unknown' | 'delivered' | 'cancelled_by_bank' | 'consumer_removed' | 'event_gone' };

/**
 * Makes a delivery due now: a pending one keeps its place in the schedule, a finished one gets a new schedule. A hold
 * of its consumer or its payment still applies.
 * @param options.force also for a delivered one
 * @param options.consumerId only if it is this consumer's, for its people: what a person of the bank cancelled stays cancelled
 */
export function retryDelivery(
  db: Database,
  id: string,
  options: { readonly force: boolean; readonly consumerId?: string | undefined },
  audit: AuditEntry,
): Promise<Retried> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<Retried> => {
      const delivery = await lockDelivery(trx, id, options.consumerId);
      if (delivery === undefined) return { kind: 'unknown' };
      if (options.consumerId !== undefined && delivery.endReason === 'cancelled_manually')
        return { kind: 'cancelled_by_bank' };
      if (delivery.state === 'delivered' && !options.force) return { kind: 'delivered' };
      const obstacle = await obstacleTo(trx, delivery);
      if (obstacle !== null) return { kind: obstacle };
      if (delivery.state === 'pending') await makeDue(trx, id);
      else await reopen(trx, [id]);
      await recordAudit(trx, { ...audit, details: { ...audit.details, from: delivery.state } });
      return { kind: 'done', consumerId: delivery.consumerId };
    }),
  );
}

/**
 * The event is read before its delivery becomes pending again: retention drops a week only when none of its
 * deliveries is pending.
 */
async function obstacleTo(
  trx: Transaction,
  { eventId, consumerId }: LockedDelivery,
): Promise<'consumer_removed' | 'event_gone' | null> {
  const { rows } = await sql<{ kept: boolean; removed: boolean }>`
    select exists (select from events where id = ${eventId}) as kept,
           (select deleted_at is not null from consumers where id = ${consumerId}) as removed`.execute(trx);
  if (rows[0]?.removed === true) return 'consumer_removed';
  return rows[0]?.kept === true ? null : 'event_gone';
}

/**
 * An overdue delivery keeps its due time, and so its place among the overdue ones. One that an ended session is still
 * sending waits for its answer, unless PostgreSQL refuses the record of that answer.
 */
async function makeDue(trx: Transaction, id: string): Promise<void> {
  await sql`
    update pending_deliveries
    set next_attempt_at = least(next_attempt_at, now()), held_session = null, record_refused_at = null
    where id = ${id} and (held_session is null or record_refused_at is not null)`.execute(trx);
}

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

type Cancelled =
  /** Cancelled. The next status of its payment can be due; the caller enqueues the consumer. */
  | { readonly kind: 'done'; readonly consumerId: string }
  | { readonly kind: 'unknown' | 'delivered' | 'already' };

/**
 * Finishes a delivery without sending it, and makes the payment's next status due. An attempt in flight is recorded: the
 * delivery stays cancelled, unless the attempt is acknowledged. A dead delivery becomes cancelled. One that was delivered
 * before it was sent again is delivered.
 */
export function cancelDelivery(db: Database, id: string, audit: AuditEntry): Promise<Cancelled> {
  return retryTransient(() =>
    db.transaction().execute(async (trx): Promise<Cancelled> => {
      const delivery = await lockDelivery(trx, id);
      if (delivery === undefined) return { kind: 'unknown' };
      switch (delivery.state) {
        case 'delivered':
          return { kind: 'delivered' };
        case 'cancelled':
          return { kind: 'already' };
        case 'pending':
          await endPending(trx, [id], { state: 'cancelled', reason: 'cancelled_manually' });
          break;
        case 'dead':
          await cancelDead(trx, [id]);
          break;
      }
      await recordAudit(trx, { ...audit, details: { ...audit.details, from: delivery.state } });
      return { kind: 'done', consumerId: delivery.consumerId };
    }),
  );
}

/** Cancels those of the deliveries that are dead, as `endPending` does. @returns how many */
export async function cancelDead(trx: Transaction, ids: readonly string[]): Promise<number> {
  const isDelivered = wasAcknowledged(sql`d.id`);
  const { rows } = await sql`
    update deliveries d
    set state = case when ${isDelivered} then 'delivered' else 'cancelled' end,
        end_reason = case when ${isDelivered} then 'acknowledged' else 'cancelled_manually' end, finished_at = now(),
        settled_at = null, settled_by = null, settle_reason = null
    where d.id = any (${ids}::uuid[]) and d.state = 'dead' returning d.id`.execute(trx);
  return rows.length;
}

/** A delivery that is locked for an operator's command until the transaction ends. */
interface LockedDelivery {
  readonly id: string;
  readonly consumerId: string;
  readonly eventId: string;
  readonly state: 'pending' | FinalState;
  /** Null while it is pending. */
  readonly endReason: EndReason | null;
}

type Look = LockedDelivery | { readonly id: null };

/**
 * Locks a delivery in the table that contains it. Waits while a result of it is being recorded. The result of an
 * attempt in flight is recorded after the command, to the delivery as the command has left it.
 * @param consumerId only if it is this consumer's; a delivery of another one is not locked
 * @returns undefined when there is no such delivery
 */
async function lockDelivery(
  trx: Transaction,
  id: string,
  consumerId?: string,
): Promise<LockedDelivery | undefined> {
  const wanted = consumerId === undefined ? sql`id = ${id}` : sql`id = ${id} and consumer_id = ${consumerId}`;
  for (;;) {
    // Each look has a newer snapshot: it sees the change for which the former look waited.
    const { rows } = await sql<Look>`
      with pending as (
        select id, consumer_id, event_id, 'pending' as state, null as end_reason
        from pending_deliveries where ${wanted} for update
      ),
      finished as (select id, consumer_id, event_id, state, end_reason from deliveries where ${wanted} for update)
      select d.id, d.consumer_id as "consumerId", d.event_id as "eventId", d.state,
              d.end_reason as "endReason"
      from (select from pending_deliveries where ${wanted} union all select from deliveries where ${wanted}) known
      left join (select * from pending union all select * from finished) d on true`.execute(trx);
    const [look] = rows;
    if (look === undefined) return undefined;
    // Null: known, but moved to the other table while this look waited for its lock.
    if (look.id !== null) return look;
  }
}
