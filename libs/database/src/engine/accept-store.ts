import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { onlyRow } from '../connection/by-primary-key.js';
import { bytes, texts } from '../connection/columns.js';
import { Pipeline } from '../connection/connection.js';
import { acceptEvents, type AcceptOutcome, type NewEvent } from './accept-events.js';
import { ownPasts, type OwnPayment, type PaymentPast } from './own-past.js';

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
        select e.consumer_ids, e.delivery_ids from events e where ${onlyRow('e.id', 'k.notification_id')}
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
