import type { EventType, HoldReason, OpenState, TimestampUnit } from '#libs/contracts';
import { sql } from 'kysely';
import { column } from '../columns.js';
import type { Database } from '../connection.js';

/** What a lease outlasts the consumer's timeout by: signing, recording, and a pause of the process. */
const LEASE_MARGIN_MS = 10_000;

/** A job may come this much before its time: the clocks of the queue and of PostgreSQL differ. */
const EARLY_MS = 250;

/** A delivery that is this worker's until its lease ends: all that one attempt needs. */
export interface Taken {
  readonly kind: 'taken';
  readonly deliveryId: string;
  readonly lease: number;
  /** Number of the attempt that is about to be made, over the delivery's whole life. */
  readonly attempt: number;
  /** Attempts already made in the current run through the schedule. */
  readonly scheduleStep: number;
  readonly notificationId: string;
  readonly consumerId: string;
  readonly body: string;
  readonly acceptedAt: Date;
  readonly url: string;
  readonly timeoutMs: number;
  readonly timestampUnit: TimestampUnit;
  readonly retrySchedule: readonly number[] | null;
  readonly credentialVersion: number;
}

/** Why a delivery was not leased. `waitMs` is counted by PostgreSQL's clock, the only one that all share. */
export type NotTaken =
  | { readonly kind: 'finished' }
  /** Its event, or credentials in force, cannot be found: a fault of ours that must not touch its neighbours. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'held'; readonly reason: HoldReason }
  | { readonly kind: 'leased' | 'not_due'; readonly waitMs: number };

interface Row {
  id: string;
  state: OpenState | null;
  hold_reason: HoldReason | null;
  has_consumer: boolean;
  lease_wait_ms: number | null;
  due_wait_ms: number | null;
  lease: number | null;
  attempts: number;
  schedule_step: number;
  event_id: string;
  consumer_id: string;
  event_type: EventType;
  created_at: Date;
  url: string;
  timeout_ms: number;
  timestamp_unit: TimestampUnit;
  retry_schedule: number[] | null;
  body: string | null;
  credential_version: number | null;
}

/**
 * **take**: leases deliveries to the caller, one attempt each, and says why not otherwise. A lease that ran out
 * (its worker died) may be taken anew; `lease` then grows, and the former holder's `record` changes nothing.
 * Body and credentials are looked up by primary key, whatever the tables' size.
 * @returns one answer an id, in order
 */
export async function take(db: Database, ids: readonly string[]): Promise<(Taken | NotTaken)[]> {
  const { rows } = await sql<Row>`
    with candidate as (
      select d.id, d.state, d.hold_reason, d.lease_until, d.next_attempt_at, d.consumer_id
      from open_deliveries d
      where d.id = any (${column(ids, (id) => id)}::uuid[])
      order by d.consumer_id, d.event_type, d.payment_id, d.number, d.id
      for no key update
    ),
    taken as (
      update open_deliveries d
      set state = 'sending', lease = d.lease + 1,
          lease_until = now() + (c.timeout_ms + ${LEASE_MARGIN_MS}::int) * interval '1 millisecond',
          first_attempt_at = coalesce(d.first_attempt_at, now())
      from candidate k, consumers c
      where k.id = d.id and c.id = d.consumer_id and c.deleted_at is null
        and exists (select from events e where e.id = d.event_id)
        and exists (select from consumer_credentials v where v.consumer_id = c.id and v.activate_at <= now())
        and (k.state = 'queued' and k.next_attempt_at <= now() + ${EARLY_MS}::int * interval '1 millisecond'
             or k.state = 'sending' and k.lease_until <= now())
      returning d.id, d.lease, d.attempts, d.schedule_step, d.event_id, d.consumer_id, d.event_type, d.created_at,
                c.url, c.timeout_ms, c.timestamp_unit, c.retry_schedule
    )
    select k.id, k.state, k.hold_reason,
           exists (select from consumers c where c.id = k.consumer_id and c.deleted_at is null) as has_consumer,
           (extract(epoch from k.lease_until - now()) * 1000)::float8 as lease_wait_ms,
           (extract(epoch from k.next_attempt_at - now()) * 1000)::float8 as due_wait_ms,
           t.lease, t.attempts, t.schedule_step, t.event_id, t.consumer_id, t.event_type, t.created_at,
           t.url, t.timeout_ms, t.timestamp_unit, t.retry_schedule,
           (select e.body from events e where e.id = t.event_id) as body,
           (select v.version from consumer_credentials v where v.consumer_id = t.consumer_id and v.activate_at <= now()
            order by v.activate_at desc, v.version desc limit 1) as credential_version
    from candidate k left join taken t on t.id = k.id`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row === undefined ? { kind: 'finished' } : answer(row);
  });
}

function answer(row: Row): Taken | NotTaken {
  if (row.lease !== null && row.body !== null && row.credential_version !== null) {
    return {
      kind: 'taken',
      deliveryId: row.id,
      lease: row.lease,
      attempt: row.attempts + 1,
      scheduleStep: row.schedule_step,
      notificationId: row.event_id,
      consumerId: row.consumer_id,
      body: row.body,
      acceptedAt: row.created_at,
      url: row.url,
      timeoutMs: row.timeout_ms,
      timestampUnit: row.timestamp_unit,
      retrySchedule: row.retry_schedule,
      credentialVersion: row.credential_version,
    };
  }
  if (row.state === 'held' && row.hold_reason !== null) return { kind: 'held', reason: row.hold_reason };
  if (row.state === 'sending' && row.lease_wait_ms !== null && row.lease_wait_ms > 0) {
    return { kind: 'leased', waitMs: row.lease_wait_ms };
  }
  if (row.state === 'queued' && row.due_wait_ms !== null && row.due_wait_ms > 0) {
    return { kind: 'not_due', waitMs: row.due_wait_ms };
  }
  // Of a removed consumer: the reconciler cancels it.
  return { kind: row.has_consumer ? 'unusable' : 'finished' };
}
