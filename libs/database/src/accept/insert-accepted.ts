import type { EventType, HoldReason, OpenState } from '#libs/contracts';
import { sql, type RawBuilder } from 'kysely';
import { arrayLiteral, booleans, instants, integers, texts, uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { prepared } from '../prepared.js';
import { CLOSED_BECAUSE } from '../gates/closed-because.js';
import { ANY_AT_GATE, OUT, WINDOW } from '../gates/window.js';
import type { ClaimedPayment } from './lock-payments.js';

export interface NewEvent {
  readonly id: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  /** How many of the same batch come after it in its payment. */
  readonly followers: number;
  readonly status: string | null;
  readonly traceNumber: string | null;
  readonly imad: string | null;
  readonly eventAt: Date;
  readonly producer: string;
  readonly body: string;
  readonly traceparent: string | null;
  readonly deliveries: readonly NewDelivery[];
}

export interface NewDelivery {
  readonly id: string;
  readonly consumerId: string;
  /** The consumer wants this payment's statuses in order. */
  readonly ordered: boolean;
  /** An earlier status of the same lane stands in the same batch. */
  readonly behindInBatch: boolean;
}

export interface Inserted {
  /** Deliveries that may be sent now. */
  readonly queued: readonly { readonly deliveryId: string; readonly consumerId: string }[];
  /** Consumers at whose gates some were put on hold. */
  readonly atGateOf: readonly string[];
}

type DeliveryRow = NewDelivery & { readonly event: NewEvent };

/**
 * Second statement of **accept** where the payments' past had to be known: the events and their open deliveries, under the
 * payments' locks of `claim`, so no other accept is in the lane.
 * @param payments those of the events
 */
export async function insertAccepted(
  trx: Database,
  events: readonly NewEvent[],
  payments: readonly ClaimedPayment[],
): Promise<Inserted> {
  if (events.length === 0) return { queued: [], atGateOf: [] };
  const { rows } = await sql<InsertedRow>`
    ${prepared('accept-insert')}
    with locked as materialized (
      select * from unnest(
        ${texts(payments, (p) => p.eventType)}, ${texts(payments, (p) => p.paymentId)}, ${integers(payments, (p) => p.lastNumber)}
      ) l (event_type, payment_id, last_number)
    ),
    ${insertion(events, sql`true`)}
    select id, consumer_id, state, hold_reason from inserted`.execute(trx);
  return placesOf(rows);
}

/** A new delivery as it stands. */
export interface InsertedRow {
  readonly id: string;
  readonly consumer_id: string;
  readonly state: OpenState;
  readonly hold_reason: HoldReason | null;
}

/** What accept does next with new deliveries. */
export function placesOf(rows: readonly InsertedRow[]): Inserted {
  const atGate = rows.filter((row) => row.state === 'held' && row.hold_reason !== 'order');
  return {
    queued: rows
      .filter((row) => row.state === 'queued')
      .map((row) => ({ deliveryId: row.id, consumerId: row.consumer_id })),
    atGateOf: [...new Set(atGate.map((row) => row.consumer_id))],
  };
}

/**
 * The expressions of a WITH that insert events and deliveries while `condition` holds; `inserted` has the deliveries'
 * rows. `locked` stands before them: the events' payments under their locks, with the last numbers given. Deliveries
 * behind an unfinished status of the same lane start out held.
 *
 * A predecessor that is being finished at this very moment is waited for (its row is locked FOR KEY SHARE, which
 * a DELETE conflicts with and an ordinary update does not): either it is gone and the new one may go, or it
 * stays until this transaction has committed and `record` then sees the new one and releases it. Only the
 * newest predecessor needs it: the earlier ones release it, not us. Lanes are locked in the order in which
 * `record` locks them.
 *
 * A consumer that is paused, whose circuit is open, or that has a backlog on hold gets no job either, and no consumer
 * gets more jobs than fit its window: the rest stands in PostgreSQL, since the queue is everybody's. What held them may have ended before this transaction's
 * commit, so the caller then asks `topUp` for them.
 */
export function insertion(events: readonly NewEvent[], condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const deliveries: DeliveryRow[] = events.flatMap((event) => event.deliveries.map((d) => ({ ...d, event })));
  return sql`
    event_rows as (
      insert into events (id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body,
                          consumer_ids, delivery_ids, traceparent)
      select id, event_type, payment_id, locked.last_number - followers, status, trace_number, imad, event_at, producer, body,
             e.consumer_ids::uuid[], delivery_ids::uuid[], traceparent
      from unnest(
        ${uuids(events, (e) => e.id)}, ${texts(events, (e) => e.eventType)},
        ${texts(events, (e) => e.paymentId)}, ${integers(events, (e) => e.followers)},
        ${texts(events, (e) => e.status)}, ${texts(events, (e) => e.traceNumber)},
        ${texts(events, (e) => e.imad)}, ${instants(events, (e) => e.eventAt)},
        ${texts(events, (e) => e.producer)}, ${texts(events, (e) => e.body)},
        ${texts(events, (e) => arrayLiteral(e.deliveries.map((d) => d.consumerId)))},
        ${texts(events, (e) => arrayLiteral(e.deliveries.map((d) => d.id)))},
        ${texts(events, (e) => e.traceparent)}
      ) as e (id, event_type, payment_id, followers, status, trace_number, imad, event_at, producer, body, consumer_ids,
              delivery_ids, traceparent)
      left join locked using (event_type, payment_id)
      where ${condition}
    ),
    input as (
      select i.*, locked.last_number - i.followers as number from unnest(
        ${uuids(deliveries, (d) => d.id)}, ${uuids(deliveries, (d) => d.event.id)},
        ${uuids(deliveries, (d) => d.consumerId)}, ${texts(deliveries, (d) => d.event.eventType)},
        ${texts(deliveries, (d) => d.event.paymentId)}, ${integers(deliveries, (d) => d.event.followers)},
        ${booleans(deliveries, (d) => d.ordered)}, ${booleans(deliveries, (d) => d.behindInBatch)}
      ) as i (id, event_id, consumer_id, event_type, payment_id, followers, ordered, behind_in_batch)
      left join locked using (event_type, payment_id)
      where ${condition}
    ),
    predecessor as materialized (
      select lane.consumer_id, lane.event_type, lane.payment_id
      from (select distinct consumer_id, event_type, payment_id from input
            where ordered and not behind_in_batch and payment_id is not null
            order by consumer_id, event_type, payment_id) lane
      cross join lateral (
        select o.id from open_deliveries o
        where o.consumer_id = lane.consumer_id and o.event_type = lane.event_type and o.payment_id = lane.payment_id
        order by o.number desc limit 1 for key share
      ) newest
    ),
    gate as materialized (
      select c.id, coalesce(${CLOSED_BECAUSE}, case when ${ANY_AT_GATE} then 'concurrency' end) as reason, ${WINDOW} - ${OUT} as room
      from consumers c join consumer_gates g on g.consumer_id = c.id
      where c.id in (select consumer_id from input)
    ),
    judged as (
      select i.*, i.behind_in_batch or (i.ordered and exists (
        select from predecessor p
        where p.consumer_id = i.consumer_id and p.event_type = i.event_type and p.payment_id = i.payment_id
      )) as behind
      from input i
    ),
    placed as (
      select j.*, case
        when j.behind then 'order'
        when gate.reason is not null then gate.reason
        when row_number() over (partition by j.consumer_id, j.behind order by j.id) > gate.room then 'concurrency'
        end as reason
      from judged j left join gate on gate.id = j.consumer_id
    ),
    inserted as (
      insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, hold_reason,
                                   held_since)
      select id, event_id, consumer_id, event_type, payment_id, number,
             case when reason is null then 'queued' else 'held' end, reason,
             case when reason is null then null else now() end
      from placed
      returning id, consumer_id, state, hold_reason
    )`;
}

/**
 * Adds to a payment's recipients those that only its past could tell, under its lock: what carries no company later
 * goes to them too.
 */
export async function addRecipients(
  trx: Database,
  added: readonly {
    readonly eventType: EventType;
    readonly paymentId: string;
    readonly consumerIds: readonly string[];
  }[],
): Promise<void> {
  if (added.length === 0) return;
  await sql`
    update payments p
    set consumer_ids = array(select distinct c from unnest(p.consumer_ids || a.consumer_ids::uuid[]) c)
    from unnest(${texts(added, (a) => a.eventType)}, ${texts(added, (a) => a.paymentId)},
                ${texts(added, (a) => arrayLiteral(a.consumerIds))}) a (event_type, payment_id, consumer_ids)
    where p.event_type = a.event_type and p.payment_id = a.payment_id`.execute(trx);
}
