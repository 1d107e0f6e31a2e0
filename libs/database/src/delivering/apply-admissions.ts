import type { EventType, TimestampUnit } from '#libs/contracts';
import type { Admission } from '#libs/delivery';
import { sql } from 'kysely';
import { booleans, floats, texts, uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { lookedUp, onlyRow } from '../by-primary-key.js';
import { prepared } from '../prepared.js';
import type { Taken } from './taken.js';

/** What a lease outlasts the consumer's timeout by: signing, recording, and a pause of the process. */
const LEASE_MARGIN_MS = 10_000;

/** When to ask again for what cannot be sent for a reason of ours; it must not fill its consumer's window meanwhile. */
const UNUSABLE_AGAIN_MS = 15_000;

/** How a consumer's gate has moved by what was admitted. */
export interface Moved {
  readonly consumerId: string;
  /** A probe goes out: the next one waits until this one's lease has ended. */
  readonly probes: boolean;
  /** Null: the consumer has no `maxPerSecond`. */
  readonly pace: { readonly nextSendInMs: number; readonly nextSlotInMs: number } | null;
}

interface Row {
  id: string;
  lease: number;
  round: number;
  lease_ms: number;
  probe: boolean;
  attempts: number;
  schedule_step: number;
  event_id: string;
  consumer_id: string;
  event_type: EventType;
  payment_id: string | null;
  created_at: Date;
  url: string;
  ca_certificate: string | null;
  timeout_ms: number;
  timestamp_unit: TimestampUnit;
  retry_schedule: number[] | null;
  traced_body: string;
  credential_version: number;
}

/**
 * Writes what was decided, in the transaction that holds the locks it was decided under. Body and credentials are
 * looked up by primary key, whatever the tables' size.
 * @returns the leased ones, by their ids
 */
export async function applyAdmissions(
  trx: Database,
  admissions: ReadonlyMap<string, Admission>,
  moved: readonly Moved[],
): Promise<Map<string, Taken>> {
  const entries = [...admissions];
  const leases = entries.flatMap(([id, a]) => (a.kind === 'lease' ? [{ id, probe: a.probe }] : []));
  const holds = entries.flatMap(([id, a]) => (a.kind === 'hold' ? [{ id, reason: a.reason }] : []));
  const reservations = entries.flatMap(([id, a]) => (a.kind === 'reserve' ? [{ id, inMs: a.inMs }] : []));
  const unusable = entries.flatMap(([id, a]) => (a.kind === 'unusable' ? [id] : []));
  if (leases.length + holds.length + reservations.length + unusable.length === 0) return new Map();
  const { rows } = await sql<Row>`
    ${prepared('take-apply')}
    with held as (
      update open_deliveries d
      set state = 'held', hold_reason = h.reason, held_since = coalesce(d.held_since, now()),
          -- One that was released in vain keeps its place among those that wait.
          next_attempt_at = least(d.next_attempt_at, d.held_since), lease_until = null, probe = false, reserved = false
      from unnest(${uuids(holds, (h) => h.id)}, ${texts(holds, (h) => h.reason)}) h (id, reason)
      where ${lookedUp('d.id', 'h.id')}
    ),
    reserved as (
      update open_deliveries d
      set state = 'queued', lease_until = null, probe = false, reserved = true,
          next_attempt_at = now() + r.in_ms * interval '1 millisecond'
      from unnest(${uuids(reservations, (r) => r.id)}, ${floats(reservations, (r) => r.inMs)})
        r (id, in_ms)
      where ${lookedUp('d.id', 'r.id')}
    ),
    postponed as (
      update open_deliveries d
      set state = 'queued', lease_until = null, probe = false, reserved = false,
          next_attempt_at = now() + ${UNUSABLE_AGAIN_MS}::int * interval '1 millisecond'
      where d.id = any (${unusable}::uuid[])
    ),
    moved as (
      update consumer_gates g
      set next_send_at = coalesce(now() + m.next_send_in_ms * interval '1 millisecond', g.next_send_at),
          next_slot_at = coalesce(now() + m.next_slot_in_ms * interval '1 millisecond', g.next_slot_at),
          next_probe_at = case when m.probes
            then now() + (c.timeout_ms + ${LEASE_MARGIN_MS}::int) * interval '1 millisecond' else g.next_probe_at end
      from unnest(${uuids(moved, (m) => m.consumerId)}, ${booleans(moved, (m) => m.probes)},
                  ${floats(moved, (m) => m.pace?.nextSendInMs ?? null)},
                  ${floats(moved, (m) => m.pace?.nextSlotInMs ?? null)})
        m (consumer_id, probes, next_send_in_ms, next_slot_in_ms)
      join consumers c on c.id = m.consumer_id
      where g.consumer_id = m.consumer_id
    ),
    taken as (
      update open_deliveries d
      set state = 'sending', lease = d.lease + 1, probe = l.probe, reserved = false,
          lease_until = now() + ((select c.timeout_ms from consumers c where c.id = d.consumer_id)
            + ${LEASE_MARGIN_MS}::int) * interval '1 millisecond',
          first_attempt_at = coalesce(d.first_attempt_at, now())
      from unnest(${uuids(leases, (l) => l.id)}, ${booleans(leases, (l) => l.probe)}) l (id, probe)
      where ${lookedUp('d.id', 'l.id')}
      returning d.id, d.lease, d.round, d.probe, d.attempts, d.schedule_step, d.event_id, d.consumer_id, d.event_type,
                d.payment_id, d.created_at
    )
    select t.*, c.url, c.ca_certificate, c.timeout_ms, c.timeout_ms + ${LEASE_MARGIN_MS}::int as lease_ms, c.timestamp_unit,
           c.retry_schedule,
           (select coalesce(e.traceparent, '') || e.body from events e where ${onlyRow('e.id', 't.event_id')}) as traced_body,
           (select v.version from consumer_credentials v where v.consumer_id = t.consumer_id and v.activate_at <= now()
            order by v.activate_at desc, v.version desc limit 1) as credential_version
    from taken t join consumers c on c.id = t.consumer_id`.execute(trx);
  return new Map(rows.map((row) => [row.id, takenOf(row)]));
}

/** One look at the event brings both: a traceparent holds no brace, and a body begins with one. */
function traceAndBody(traced: string): Pick<Taken, 'body' | 'traceparent'> {
  const at = traced.indexOf('{');
  return at <= 0
    ? { body: traced, traceparent: undefined }
    : { body: traced.slice(at), traceparent: traced.slice(0, at) };
}

const takenOf = (row: Row): Taken => ({
  kind: 'taken',
  deliveryId: row.id,
  lease: row.lease,
  round: row.round,
  leaseMs: row.lease_ms,
  probe: row.probe,
  attempt: row.attempts + 1,
  scheduleStep: row.schedule_step,
  notificationId: row.event_id,
  consumerId: row.consumer_id,
  lane:
    row.payment_id === null
      ? null
      : { consumerId: row.consumer_id, eventType: row.event_type, paymentId: row.payment_id },
  ...traceAndBody(row.traced_body),
  acceptedAt: row.created_at,
  url: row.url,
  caCertificate: row.ca_certificate,
  timeoutMs: row.timeout_ms,
  timestampUnit: row.timestamp_unit,
  retrySchedule: row.retry_schedule,
  credentialVersion: row.credential_version,
});
