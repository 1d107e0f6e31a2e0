import { sql } from 'kysely';
import { bytes, texts, uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { codeOf } from '../faults.js';
import { prepared } from '../prepared.js';
import type { Claim } from './claim.js';
import { insertion, placesOf, type Inserted, type InsertedRow, type NewEvent } from './insert-accepted.js';
import { sharesOf, upsertPayments } from './lock-payments.js';

/**
 * **accept** as one statement, and so one message and one transaction, for events whose recipients no payment's past
 * can change: keys, payments, events and deliveries. It locks what `claim` and `insertAccepted` lock, in their order.
 *
 * Its snapshot is older than the payments' locks, unlike that of `insertAccepted`: an earlier status that another accept
 * commits while this one waits for the payment is not seen, and the delivery is queued instead of held. `take`, under
 * locks of its own, then holds it.
 *
 * @returns undefined when nothing was written: a key is taken, or the routing has another version
 */
export async function insertAtOnce(
  db: Database,
  claims: readonly Claim[],
  events: readonly NewEvent[],
  routingVersion: string,
): Promise<Inserted | undefined> {
  const inserting = sql<{ is_usual: boolean } & (InsertedRow | { readonly id: null })>`
    ${prepared('accept-at-once')}
    with keys as materialized (
      select * from unnest(
        ${texts(claims, (c) => c.producer)}, ${bytes(claims, (c) => c.keyHash)},
        ${bytes(claims, (c) => c.contentHash)}, ${uuids(claims, (c) => c.notificationId)}
      ) k (producer, key_hash, content_hash, notification_id)
    ),
    usual as materialized (
      select (select routing_version from dispatcher_state) = ${routingVersion}::bigint
             and not exists (select from keys join idempotency_keys using (producer, key_hash)) as so
    ),
    kept as (
      insert into idempotency_keys (producer, key_hash, content_hash, notification_id)
      select * from keys where (select so from usual)
      order by producer, key_hash
      returning key_hash
    ),
    locked as (${upsertPayments(sharesOf(claims), sql`(select so from usual) and (select count(*) from kept) >= 0`)}),
    ${insertion(events, sql`(select so from usual) and (select count(*) from locked) >= 0`)}
    select so as is_usual, id, consumer_id, state, hold_reason from usual left join inserted on true`;
  try {
    const { rows } = await inserting.execute(db);
    if (rows[0]?.is_usual !== true) return undefined;
    return placesOf(rows.filter((row) => row.id !== null));
  } catch (error) {
    // Another accept has taken one of the keys since the snapshot.
    if (codeOf(error) === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';
