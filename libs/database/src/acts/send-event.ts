import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { addRecipients } from '../accept/insert-accepted.js';
import { claimedPayment } from '../accept/lock-payments.js';
import { ownPast, type PaymentPast } from '../accept/own-past.js';

/** An event that somebody sends by hand, and its payment so far, under locks: nobody else sends it meanwhile. */
export interface EventToSend {
  readonly id: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly number: number | null;
  readonly body: string;
  /** It concerned nobody when it was accepted. */
  readonly isUnrouted: boolean;
  /** Those that have a delivery of it, open or finished. */
  readonly consumerIds: readonly string[];
  /** By its own producer's statuses. */
  readonly past: PaymentPast;
  /** Those that the payment's row has as recipients. */
  readonly knownRecipients: readonly string[];
  /** Of this moment: a routing that was read at another must be read anew. */
  readonly routingVersion: string;
}

const NO_PAST: PaymentPast = { companyIds: [], consumerIds: [] };

/** Locks an event, then its payment, as **accept** would: payments before gates, gates before deliveries. */
export async function lockEventToSend(trx: Database, id: string): Promise<EventToSend | undefined> {
  const event = await trx
    .selectFrom('events')
    .select(['id', 'event_type', 'payment_id', 'number', 'producer', 'body', 'consumer_ids'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (event === undefined) return undefined;
  const payment =
    event.payment_id === null
      ? undefined
      : await trx
          .selectFrom('payments')
          .select(['event_type', 'payment_id', 'last_number', 'company_ids', 'consumer_ids', 'producers'])
          .where('event_type', '=', event.event_type)
          .where('payment_id', '=', event.payment_id)
          .forNoKeyUpdate()
          .executeTakeFirst();
  const { rows } = await sql<{ routing_version: string; consumer_ids: string[] }>`
    select (select routing_version from dispatcher_state) as routing_version,
           array(select consumer_id::text from open_deliveries where event_id = ${id}
                 union select consumer_id::text from deliveries where event_id = ${id}) as consumer_ids`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the question always answers one row');
  return {
    id: event.id,
    eventType: event.event_type,
    paymentId: event.payment_id,
    number: event.number,
    body: event.body,
    isUnrouted: event.consumer_ids.length === 0,
    consumerIds: row.consumer_ids,
    past: payment === undefined ? NO_PAST : await ownPast(trx, claimedPayment(payment), event.producer),
    knownRecipients: payment?.consumer_ids ?? [],
    routingVersion: row.routing_version,
  };
}

/**
 * Adds deliveries of a locked event, queued; the caller then asks `admitNow`. The event keeps the recipients that it
 * was accepted with, since a repeated request is answered with them, and is marked as sent by hand.
 */
export async function insertCopies(
  trx: Database,
  event: EventToSend,
  copies: readonly { readonly deliveryId: string; readonly consumerId: string }[],
): Promise<void> {
  await sql`
    insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state)
    select c.id, ${event.id}, c.consumer_id, ${event.eventType}, ${event.paymentId}, ${event.number}::int, 'queued'
    from unnest(${uuids(copies, (c) => c.deliveryId)}, ${uuids(copies, (c) => c.consumerId)})
      c (id, consumer_id)`.execute(trx);
  await trx.updateTable('events').set({ sent_by_hand: true }).where('id', '=', event.id).execute();
  const added = copies
    .map(({ consumerId }) => consumerId)
    .filter((id) => !event.knownRecipients.includes(id));
  if (event.paymentId !== null && added.length > 0) {
    await addRecipients(trx, [
      { eventType: event.eventType, paymentId: event.paymentId, consumerIds: added },
    ]);
  }
}
