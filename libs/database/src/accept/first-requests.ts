import { sql } from 'kysely';
import { onlyRow } from '../by-primary-key.js';
import { bytes, texts } from '../columns.js';
import type { Queryable } from '../connection.js';

export interface IdempotencyKey {
  readonly producer: string;
  readonly keyHash: Buffer;
}

/** The first request with an idempotency key, with the content of its answer. */
export interface FirstRequest extends IdempotencyKey {
  readonly contentHash: Buffer;
  readonly notificationId: string;
  readonly deliveries: readonly { readonly deliveryId: string; readonly consumerId: string }[];
}

/** Finds the first request with each of these keys; unused keys are omitted. */
export async function firstRequests(db: Queryable, keys: readonly IdempotencyKey[]): Promise<FirstRequest[]> {
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

/** Deletes those of these keys that are older than 7 days, the time for which a key is kept. */
export async function freeLapsedKeys(db: Queryable, keys: readonly IdempotencyKey[]): Promise<void> {
  await sql`
    delete from idempotency_keys k
    using unnest(${texts(keys, (k) => k.producer)}, ${bytes(keys, (k) => k.keyHash)}) w (producer, key_hash)
    where k.producer = w.producer and k.key_hash = w.key_hash and k.created_at < now() - interval '7 days'`.execute(
    db,
  );
}
