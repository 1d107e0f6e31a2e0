import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { uuids } from '../connection/columns.js';
import type { Transaction } from '../connection/connection.js';
import { lockOwnPast, type PaymentPast } from '../engine/accept-store.js';

/**
 * An accepted event that an operator sends to more consumers, with the past of its payment; locked until the
 * transaction ends.
 */
interface EventToSend {
  readonly id: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly number: number | null;
  readonly status: string | null;
  readonly body: string;
  /** Whether the event matched no consumer when it was accepted. */
  readonly isUnrouted: boolean;
  /** Consumers with a delivery of the event, pending or finished. */
  readonly consumerIds: readonly string[];
  /** The past of the payment, from the producer's own statuses. */
  readonly past: PaymentPast;
  /** The current version of the routing; a routing with another version must be read again. */
  readonly routingVersion: string;
}

const NO_PAST: PaymentPast = { companyIds: [], consumerIds: [], lastNumber: 0 };

/** Locks an event, then its payment like accept. @returns undefined when there is no such event */
export async function lockEventToSend(trx: Transaction, id: string): Promise<EventToSend | undefined> {
  const event = await trx
    .selectFrom('events')
    .select(['id', 'event_type', 'payment_id', 'number', 'status', 'producer', 'body', 'consumer_ids'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (event === undefined) return undefined;
  const { event_type: eventType, payment_id: paymentId, producer } = event;
  const past = paymentId === null ? NO_PAST : await lockOwnPast(trx, { eventType, paymentId, producer });
  const { rows } = await sql<{ routing_version: string; consumer_ids: string[] }>`
    with own as (select unnest(delivery_ids || added_delivery_ids) as id from events where id = ${id})
    select (select routing_version from dispatcher_state) as routing_version,
           array(select d.consumer_id::text from own join pending_deliveries d on d.id = any (array[own.id])
                 union
                 select d.consumer_id::text from own join deliveries d on d.id = any (array[own.id])) as consumer_ids`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the question always answers one row');
  return {
    id: event.id,
    eventType,
    paymentId,
    number: event.number,
    status: event.status,
    body: event.body,
    isUnrouted: event.consumer_ids.length === 0,
    consumerIds: row.consumer_ids,
    past,
    routingVersion: row.routing_version,
  };
}

/**
 * Adds deliveries of a locked event, due now. The event keeps its original recipients, with which a repeated request
 * is answered. The new recipients count as the payment's from now on.
 */
export async function insertCopies(
  trx: Transaction,
  event: EventToSend,
  copies: readonly { readonly deliveryId: string; readonly consumerId: string }[],
): Promise<void> {
  const deliveryIds = uuids(copies, (c) => c.deliveryId);
  const consumerIds = uuids(copies, (c) => c.consumerId);
  await sql`
    insert into pending_deliveries (id, event_id, consumer_id, event_type, payment_id, number, status)
    select c.id, ${event.id}, c.consumer_id, ${event.eventType}, ${event.paymentId}, ${event.number}::int,
           ${event.status}
    from unnest(${deliveryIds}, ${consumerIds}) c (id, consumer_id)`.execute(trx);
  await sql`
    update events set added_delivery_ids = added_delivery_ids || ${deliveryIds} where id = ${event.id}`.execute(
    trx,
  );
  if (event.paymentId === null) return;
  // Later statuses without a company are routed to the payment's earlier recipients.
  await sql`
    update payments set consumer_ids = array(select distinct unnest(consumer_ids || ${consumerIds}))
    where event_type = ${event.eventType} and payment_id = ${event.paymentId}
      and not consumer_ids @> ${consumerIds}`.execute(trx);
}
