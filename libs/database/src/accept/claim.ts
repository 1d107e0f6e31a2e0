import { sql } from 'kysely';
import { bytes, texts, uuids } from '../columns.js';
import { onlyRow } from '../by-primary-key.js';
import type { Database } from '../connection.js';
import { prepared } from '../prepared.js';
import {
  claimedPayment,
  lockPayments,
  sharesOf,
  upsertPayments,
  type ClaimedPayment,
  type PaymentClaim,
  type PaymentRow,
} from './lock-payments.js';

/** One status change as it asks for its place. */
export interface Claim extends PaymentClaim {
  readonly notificationId: string;
  readonly keyHash: Buffer;
  readonly contentHash: Buffer;
}

export interface Claimed {
  readonly routingVersion: string;
  /** Notification ids that are new; the rest repeat a key that is already taken. */
  readonly fresh: ReadonlySet<string>;
  readonly payments: readonly ClaimedPayment[];
}

/**
 * Beginning of **accept**: takes the idempotency keys, then locks the payments of the new ones and moves
 * their counters. All keys before all payments, both in index order: two batches can wait for each other but
 * never in a circle. A key that another transaction is taking is waited for. Keys lapse after 7 days.
 *
 * One statement while all are new, which is nearly always; repeated ones cost a second, since what each payment gets
 * is then known only afterwards.
 *
 * The (producer, key) pairs of one call are distinct.
 */
export async function claim(trx: Database, claims: readonly Claim[]): Promise<Claimed> {
  const { rows } = await sql<{ routing_version: string; fresh: string[] | null; payments: PaymentRow[] }>`
    ${prepared('accept-claim')}
    with fresh as (
      insert into idempotency_keys as k (producer, key_hash, content_hash, notification_id)
      select * from unnest(
        ${texts(claims, (c) => c.producer)}, ${bytes(claims, (c) => c.keyHash)},
        ${bytes(claims, (c) => c.contentHash)}, ${uuids(claims, (c) => c.notificationId)}
      ) i (producer, key_hash, content_hash, notification_id)
      order by producer, key_hash
      on conflict (producer, key_hash) do update
        set content_hash = excluded.content_hash, notification_id = excluded.notification_id, created_at = now()
        where k.created_at < now() - interval '7 days'
      returning k.notification_id
    ),
    all_fresh as materialized (select count(*) = ${claims.length}::int as so from fresh),
    locked as (${upsertPayments(sharesOf(claims), sql`(select so from all_fresh)`)})
    select (select routing_version from dispatcher_state) as routing_version,
           case when not (select so from all_fresh) then array(select notification_id::text from fresh) end as fresh,
           coalesce((select json_agg(locked) from locked), '[]') as payments`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('the claim statement always answers one row');
  const fresh = new Set(row.fresh ?? claims.map((c) => c.notificationId));
  const payments =
    row.fresh === null
      ? row.payments
      : await lockPayments(
          trx,
          claims.filter((c) => fresh.has(c.notificationId)),
        );
  return {
    routingVersion: row.routing_version,
    fresh,
    payments: payments.map(claimedPayment),
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
           e.consumer_ids::text[] as consumer_ids, e.delivery_ids::text[] as delivery_ids
    from idempotency_keys k
    join (select distinct * from unnest(${texts(keys, (k) => k.producer)}, ${bytes(keys, (k) => k.keyHash)}) w (producer, key_hash)) w
      on w.producer = k.producer and w.key_hash = k.key_hash
    left join lateral (
      select e.consumer_ids, e.delivery_ids from events e where ${onlyRow('e.id', 'k.notification_id')}
    ) e on true`.execute(db);
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
