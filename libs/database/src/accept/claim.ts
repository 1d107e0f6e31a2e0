import type { EventType } from '#libs/contracts';
import { sql } from 'kysely';
import { arrayLiteral, column } from '../columns.js';
import type { Database } from '../connection.js';
import { prepared } from '../prepared.js';

/** One status change as it asks for its place. `consumerIds` are the recipients known without the payment's past. */
export interface Claim {
  readonly notificationId: string;
  readonly producer: string;
  readonly keyHash: Buffer;
  readonly contentHash: Buffer;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

/** A payment under this transaction's lock: what is known of it, this batch's own claims included. */
export interface ClaimedPayment {
  readonly eventType: EventType;
  readonly paymentId: string;
  /** The number of the batch's last claim; the others precede it without a gap. */
  readonly lastNumber: number;
  readonly companyIds: readonly string[];
  readonly consumerIds: readonly string[];
}

export interface Claimed {
  readonly routingVersion: string;
  /** Notification ids that are new; the rest repeat a key that is already taken. */
  readonly fresh: ReadonlySet<string>;
  readonly payments: readonly ClaimedPayment[];
}

/**
 * First statement of **accept**: takes the idempotency keys, then locks the payments of the new ones and moves
 * their counters. All keys before all payments, both in index order: two batches can wait for each other but
 * never in a circle. A key that another transaction is taking is waited for. Keys lapse after 7 days.
 *
 * The (producer, key) pairs of one call are distinct.
 */
export async function claim(trx: Database, claims: readonly Claim[]): Promise<Claimed> {
  const { rows } = await sql<{
    routing_version: string;
    fresh: string[];
    payments: {
      event_type: EventType;
      payment_id: string;
      last_number: number;
      company_ids: string[];
      consumer_ids: string[];
    }[];
  }>`
    ${prepared('accept-claim')}
    with input as (
      select * from unnest(
        ${column(claims, (c) => c.notificationId)}::uuid[], ${column(claims, (c) => c.producer)}::text[],
        ${column(claims, (c) => c.keyHash)}::bytea[], ${column(claims, (c) => c.contentHash)}::bytea[],
        ${column(claims, (c) => c.eventType)}::text[], ${column(claims, (c) => c.paymentId)}::text[],
        ${column(claims, (c) => c.status)}::text[], ${column(claims, (c) => arrayLiteral(c.companyIds))}::text[],
        ${column(claims, (c) => arrayLiteral(c.consumerIds))}::text[]
      ) with ordinality as i (notification_id, producer, key_hash, content_hash, event_type, payment_id, status,
                              company_ids, consumer_ids, position)
    ),
    fresh as (
      insert into idempotency_keys as k (producer, key_hash, content_hash, notification_id)
      select producer, key_hash, content_hash, notification_id from input order by producer, key_hash
      on conflict (producer, key_hash) do update
        set content_hash = excluded.content_hash, notification_id = excluded.notification_id, created_at = now()
        where k.created_at < now() - interval '7 days'
      returning k.notification_id
    ),
    batch as (
      select i.event_type, i.payment_id, count(distinct i.notification_id)::int as statuses,
             (array_agg(i.status order by i.position desc) filter (where i.status is not null))[1] as newest_status,
             coalesce(array_agg(distinct company) filter (where company is not null), '{}') as company_ids,
             coalesce(array_agg(distinct consumer) filter (where consumer is not null), '{}') as consumer_ids,
             array_agg(distinct i.producer) as producers
      from input i join fresh using (notification_id)
      left join lateral unnest(i.company_ids::text[]) company on true
      left join lateral unnest(i.consumer_ids::uuid[]) consumer on true
      where i.payment_id is not null
      group by i.event_type, i.payment_id
    ),
    locked as (
      insert into payments as p (event_type, payment_id, last_number, company_ids, consumer_ids, newest_status, producers)
      select event_type, payment_id, statuses, company_ids, consumer_ids, newest_status, producers
      from batch order by event_type, payment_id
      on conflict (event_type, payment_id) do update set
        last_number = p.last_number + excluded.last_number,
        company_ids = case when excluded.company_ids <@ p.company_ids then p.company_ids
          else array(select distinct c from unnest(p.company_ids || excluded.company_ids) c) end,
        consumer_ids = case when excluded.consumer_ids <@ p.consumer_ids then p.consumer_ids
          else array(select distinct c from unnest(p.consumer_ids || excluded.consumer_ids) c) end,
        producers = case when excluded.producers <@ p.producers then p.producers
          else array(select distinct c from unnest(p.producers || excluded.producers) c) end,
        newest_status = coalesce(excluded.newest_status, p.newest_status),
        updated_at = now()
      returning p.event_type, p.payment_id, p.last_number, p.company_ids, p.consumer_ids
    )
    select (select routing_version from dispatcher_state) as routing_version,
           array(select notification_id::text from fresh) as fresh,
           coalesce((select json_agg(locked) from locked), '[]') as payments`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('the claim statement always answers one row');
  return {
    routingVersion: row.routing_version,
    fresh: new Set(row.fresh),
    payments: row.payments.map((payment) => ({
      eventType: payment.event_type,
      paymentId: payment.payment_id,
      lastNumber: payment.last_number,
      companyIds: payment.company_ids,
      consumerIds: payment.consumer_ids,
    })),
  };
}

/** What a taken idempotency key stands for: the first request with it, as it was answered. */
export interface FirstRequest {
  readonly producer: string;
  readonly keyHash: Buffer;
  readonly contentHash: Buffer;
  readonly notificationId: string;
  readonly deliveries: readonly { readonly deliveryId: string; readonly consumerId: string }[];
}

/** Looks up taken keys; a statement of its own, so that it sees what `claim` waited for. */
export async function firstRequests(
  db: Database,
  keys: readonly { producer: string; keyHash: Buffer }[],
): Promise<FirstRequest[]> {
  const { rows } = await sql<{
    producer: string;
    key_hash: Buffer;
    content_hash: Buffer;
    notification_id: string;
    consumer_ids: string[] | null;
    delivery_ids: string[] | null;
  }>`
    select k.producer, k.key_hash, k.content_hash, k.notification_id,
           (select e.consumer_ids from events e where e.id = k.notification_id)::text[] as consumer_ids,
           (select e.delivery_ids from events e where e.id = k.notification_id)::text[] as delivery_ids
    from idempotency_keys k
    join (select distinct * from unnest(${column(keys, (k) => k.producer)}::text[], ${column(keys, (k) => k.keyHash)}::bytea[]) w (producer, key_hash)) w
      on w.producer = k.producer and w.key_hash = k.key_hash`.execute(db);
  return rows.map((row) => ({
    producer: row.producer,
    keyHash: row.key_hash,
    contentHash: row.content_hash,
    notificationId: row.notification_id,
    deliveries: (row.delivery_ids ?? []).map((deliveryId, index) => ({
      deliveryId,
      consumerId: row.consumer_ids?.[index] ?? '',
    })),
  }));
}
