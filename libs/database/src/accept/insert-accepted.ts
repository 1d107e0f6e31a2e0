import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { arrayLiteral, column } from '../columns.js';
import type { Database } from '../connection.js';

export interface NewEvent {
  readonly id: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly number: number | null;
  readonly status: string | null;
  readonly traceNumber: string | null;
  readonly imad: string | null;
  readonly eventAt: Date;
  readonly producer: string;
  readonly body: string;
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

type DeliveryRow = NewDelivery & { readonly event: NewEvent };

/**
 * Second statement of **accept**: the events and their open deliveries; those behind an unfinished status of
 * the same lane start out held. Runs under the payments' locks of `claim`, so no other accept is in the lane.
 *
 * A predecessor that is being finished at this very moment is waited for (its row is locked FOR KEY SHARE, which
 * a DELETE conflicts with and an ordinary update does not): either it is gone and the new one may go, or it
 * stays until this transaction has committed and `record` then sees the new one and releases it. Only the
 * newest predecessor needs it: the earlier ones release it, not us. Lanes are locked in the order in which
 * `record` locks them.
 *
 * @returns the ids of the deliveries that may be sent now
 */
export async function insertAccepted(trx: Database, events: readonly NewEvent[]): Promise<string[]> {
  const deliveries: DeliveryRow[] = events.flatMap((event) => event.deliveries.map((d) => ({ ...d, event })));
  const { rows } = await sql<{ id: string }>`
    with event_rows as (
      insert into events (id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body,
                          consumer_ids, delivery_ids)
      select id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body,
             consumer_ids::uuid[], delivery_ids::uuid[]
      from unnest(
        ${column(events, (e) => e.id)}::uuid[], ${column(events, (e) => e.eventType)}::text[],
        ${column(events, (e) => e.paymentId)}::text[], ${column(events, (e) => e.number)}::int[],
        ${column(events, (e) => e.status)}::text[], ${column(events, (e) => e.traceNumber)}::text[],
        ${column(events, (e) => e.imad)}::text[], ${column(events, (e) => e.eventAt.toISOString())}::timestamptz[],
        ${column(events, (e) => e.producer)}::text[], ${column(events, (e) => e.body)}::text[],
        ${column(events, (e) => arrayLiteral(e.deliveries.map((d) => d.consumerId)))}::text[],
        ${column(events, (e) => arrayLiteral(e.deliveries.map((d) => d.id)))}::text[]
      ) as e (id, event_type, payment_id, number, status, trace_number, imad, event_at, producer, body, consumer_ids,
              delivery_ids)
    ),
    input as (
      select * from unnest(
        ${column(deliveries, (d) => d.id)}::uuid[], ${column(deliveries, (d) => d.event.id)}::uuid[],
        ${column(deliveries, (d) => d.consumerId)}::uuid[], ${column(deliveries, (d) => d.event.eventType)}::text[],
        ${column(deliveries, (d) => d.event.paymentId)}::text[], ${column(deliveries, (d) => d.event.number)}::int[],
        ${column(deliveries, (d) => d.ordered)}::boolean[], ${column(deliveries, (d) => d.behindInBatch)}::boolean[]
      ) as i (id, event_id, consumer_id, event_type, payment_id, number, ordered, behind_in_batch)
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
    inserted as (
      insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, hold_reason)
      select i.id, i.event_id, i.consumer_id, i.event_type, i.payment_id, i.number,
             case when h.held then 'held' else 'queued' end, case when h.held then 'order' end
      from input i
      cross join lateral (
        select i.behind_in_batch or (i.ordered and exists (
          select from predecessor p
          where p.consumer_id = i.consumer_id and p.event_type = i.event_type and p.payment_id = i.payment_id
        )) as held
      ) h
      returning id, state
    )
    select id from inserted where state = 'queued'`.execute(trx);
  return rows.map((row) => row.id);
}
