import type { EventType } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { bytes, texts } from '../connection/columns.js';
import { Pipeline, type Queryable, type Transaction } from '../connection/connection.js';
import { acceptEvents, type AcceptOutcome, type NewEvent } from './accept-events.js';

/** A payment as its producer knows it: two producers may use one id for different payments (contract, "A payment"). */
export interface OwnPayment {
  readonly producer: string;
  readonly eventType: EventType;
  readonly paymentId: string;
}

/** What a status without a company inherits from its producer's earlier statuses of the payment. */
export interface PaymentPast {
  /** Companies that these statuses named. */
  readonly companyIds: readonly string[];
  /** Consumers to which they were routed. */
  readonly consumerIds: readonly string[];
  /** The number of the payment's last status, of any producer. */
  readonly lastNumber: number;
}

/**
 * Returns the payments' pasts, in their order, from one snapshot: from the payment's row, or if that has several producers
 * (rare), from the producer's own events.
 */
async function ownPasts(db: Queryable, payments: readonly OwnPayment[]): Promise<PaymentPast[]> {
  const { rows } = await sql<PaymentPast>`
    select coalesce(p.last_number, 0) as "lastNumber",
           coalesce(case when p.is_own then p.company_ids else own.company_ids end, '{}') as "companyIds",
           coalesce(case when p.is_own then p.consumer_ids else own.consumer_ids end, '{}')::text[] as "consumerIds"
    from unnest(${texts(payments, (p) => p.eventType)}, ${texts(payments, (p) => p.paymentId)},
                ${texts(payments, (p) => p.producer)}) with ordinality w (event_type, payment_id, producer, place)
    left join lateral (
      select p.*, p.producers <@ array[w.producer] as is_own from payments p
      where p.event_type = w.event_type and p.payment_id = w.payment_id limit 1
    ) p on true
    left join lateral (
      select o.company_ids, o.consumer_ids from own_payment(w.event_type, w.payment_id, w.producer) o where not p.is_own
    ) own on true
    order by w.place`.execute(db);
  return rows;
}

/** Locks a payment until the transaction ends, so that no status of it is accepted meanwhile. @returns its past */
export async function lockOwnPast(trx: Transaction, of: OwnPayment): Promise<PaymentPast> {
  const { eventType, paymentId } = of;
  // A payment without a status yet needs a row that can be locked; accept counts from its 0.
  await sql`
    insert into payments (event_type, payment_id, last_number, company_ids, consumer_ids)
    values (${eventType}, ${paymentId}, 0, '{}', '{}') on conflict do nothing`.execute(trx);
  await sql`
    select from payments where event_type = ${eventType} and payment_id = ${paymentId} for no key update`.execute(
    trx,
  );
  const [past] = await ownPasts(trx, [of]);
  if (past === undefined) throw new Error('each payment has a past, if only an empty one');
  return past;
}

interface IdempotencyKey {
  readonly producer: string;
  readonly keyHash: Buffer;
}

/** The first request with an idempotency key, with the content of its answer. */
export interface FirstRequest extends IdempotencyKey {
  readonly contentHash: Buffer;
  readonly notificationId: string;
  readonly deliveries: readonly { readonly deliveryId: string; readonly consumerId: string }[];
}

/** What accept reads and writes. */
@Injectable()
export class AcceptStore {
  constructor(private readonly pipeline: Pipeline) {}

  /** Writes events with distinct idempotency keys, all or nothing; see `acceptEvents`. */
  accept(events: readonly NewEvent[], routingVersion: string): Promise<AcceptOutcome> {
    return acceptEvents(this.pipeline, events, routingVersion);
  }

  pasts(payments: readonly OwnPayment[]): Promise<PaymentPast[]> {
    return ownPasts(this.pipeline.db, payments);
  }

  /** Finds the first request with each of these distinct keys; unused keys are omitted. */
  async firstRequests(keys: readonly IdempotencyKey[]): Promise<FirstRequest[]> {
    const { rows } = await sql<FirstRow>`
      select k.producer, k.key_hash, k.content_hash, k.notification_id, k.is_lapsed,
             coalesce(e.consumer_ids, '{}')::text[] as consumer_ids, coalesce(e.delivery_ids, '{}')::text[] as delivery_ids
      from unnest(${texts(keys, (k) => k.producer)}, ${bytes(keys, (k) => k.keyHash)}) w (producer, key_hash)
      cross join lateral (
        -- A key is kept for 7 days.
        select k.*, k.created_at < now() - interval '7 days' as is_lapsed from idempotency_keys k
        where k.producer = w.producer and k.key_hash = w.key_hash limit 1
      ) k
      left join lateral (
        select e.consumer_ids, e.delivery_ids from events e
        -- Not an equality: in an empty partition any index with the id seems as good as the primary key, and only the
        -- primary key has this order. A planner that considers a table empty, as after a vacuum at a quiet moment, keeps
        -- its plan until the table is analysed again, and would read a million rows for each batch meanwhile.
        where e.id between k.notification_id and k.notification_id order by e.id limit 1
      ) e on true`.execute(this.pipeline.db);
    for (const { producer, key_hash, is_lapsed } of rows) {
      if (!is_lapsed) continue;
      await sql`
        delete from idempotency_keys where producer = ${producer} and key_hash = ${key_hash}
          and created_at < now() - interval '7 days'`.execute(this.pipeline.db);
    }
    return rows
      .filter((row) => !row.is_lapsed)
      .map((row) => ({
        producer: row.producer,
        keyHash: row.key_hash,
        contentHash: row.content_hash,
        notificationId: row.notification_id,
        deliveries: row.delivery_ids.map((deliveryId, index) => ({
          deliveryId,
          consumerId: row.consumer_ids[index] ?? '',
        })),
      }));
  }
}

interface FirstRow {
  producer: string;
  key_hash: Buffer;
  content_hash: Buffer;
  notification_id: string;
  is_lapsed: boolean;
  consumer_ids: string[];
  delivery_ids: string[];
}
