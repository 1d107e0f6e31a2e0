import type { EventType, Ordering, TimestampUnit } from '#libs/contracts';
import type { Health } from '#libs/policy';
import { bigints, instants, integers, uuids } from '../columns.js';
import type { Statement, Statements } from '../connection.js';

/** A delivery session that asks for work. */
export interface SessionRequest {
  readonly consumerId: string;
  /** The session's number; null: it is to be opened. */
  readonly session: number | null;
  /** Deliveries that it has room for. */
  readonly wanted: number;
  /** Nothing that is due before is left to send; null or absent: that is not known. */
  readonly dueFrom?: Date | null;
  /** Deliveries of it whose result is not recorded yet. */
  readonly inFlight: readonly string[];
}

/** A consumer as of the fetch. */
export interface FetchedConsumer {
  readonly consumerId: string;
  readonly session: number;
  /** False: another worker has opened a session since. */
  readonly held: boolean;
  /** False while it is paused, removed, or its credentials cannot be decrypted. */
  readonly maySend: boolean;
  readonly url: string;
  readonly timeoutMs: number;
  readonly timestampUnit: TimestampUnit;
  readonly ordering: Ordering;
  readonly maxConcurrency: number;
  readonly maxPerSecond: number | null;
  /** Seconds between attempts; null: the product's schedule. */
  readonly retrySchedule: readonly number[] | null;
  readonly caCertificate: string | null;
  /** Null: none is in force yet. */
  readonly credentialVersion: number | null;
  readonly health: Health;
  /** Until `maxPerSecond` allows the next request, as the former session left it; null: at once. */
  readonly nextSendInMs: number | null;
}

/** A delivery that is due. */
export interface FetchedDelivery {
  readonly id: string;
  readonly notificationId: string;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  readonly attempts: number;
  readonly scheduleStep: number;
  readonly acceptedAt: Date;
  readonly dueAt: Date;
  /** An earlier delivery of its payment that is still pending, in which case it must wait and has no body. */
  readonly blockedBy: string | null;
  /** The frozen body; null when its event cannot be found. */
  readonly body: string | null;
  readonly traceparent: string | null;
}

/** One session's part of a fetch; a session of which nothing is to be said has none. */
export interface Fetched {
  readonly consumer: FetchedConsumer;
  /** The longest due first; more than `wanted` when blocked ones are among them. */
  readonly deliveries: readonly FetchedDelivery[];
}

const FETCH: Statement = {
  name: 'fetch',
  text: '/* fetch */ select * from fetch_deliveries($1::uuid[], $2::bigint[], $3::integer[], $4::timestamptz[], $5::uuid[])',
};

/**
 * Opens the sessions that are to be opened, and fetches for all of them what is due and not in flight. One message; see
 * the function `fetch_deliveries`.
 */
export async function fetchDeliveries(
  pipeline: Statements,
  requests: readonly SessionRequest[],
): Promise<Fetched[]> {
  const inFlight = requests.flatMap((request) => request.inFlight);
  const rows = await pipeline.query<Row>(FETCH, [
    uuids.binary(requests, (r) => r.consumerId),
    bigints.binary(requests, (r) => r.session),
    integers.binary(requests, (r) => r.wanted),
    instants.binary(requests, (r) => r.dueFrom ?? null),
    uuids.binary(inFlight, (id) => id),
  ]);
  return [...Map.groupBy(rows, (row) => row.consumer_id).values()].map((ofConsumer) => {
    const [first] = ofConsumer;
    if (first === undefined) throw new Error('a group has at least one row');
    return { consumer: consumerOf(first), deliveries: ofConsumer.flatMap(deliveryOf) };
  });
}

interface Row {
  consumer_id: string;
  session: string;
  held: boolean;
  may_send: boolean;
  url: string;
  timeout_ms: number;
  timestamp_unit: TimestampUnit;
  ordering: Ordering;
  max_concurrency: number;
  max_per_second: number | null;
  retry_schedule: number[] | null;
  ca_certificate: string | null;
  credential_version: number | null;
  failures: number;
  failed_deliveries: string[];
  first_failure_at: Date | null;
  circuit_opened_at: Date | null;
  failed_probes: number;
  next_probe_at: Date | null;
  next_send_in_ms: number | null;
  id: string | null;
  event_id: string;
  event_type: EventType;
  payment_id: string | null;
  attempts: number;
  schedule_step: number;
  created_at: Date;
  next_attempt_at: Date;
  blocked_by: string | null;
  body: string | null;
  traceparent: string | null;
}

const consumerOf = (row: Row): FetchedConsumer => ({
  consumerId: row.consumer_id,
  session: Number(row.session),
  held: row.held,
  maySend: row.may_send,
  url: row.url,
  timeoutMs: row.timeout_ms,
  timestampUnit: row.timestamp_unit,
  ordering: row.ordering,
  maxConcurrency: row.max_concurrency,
  maxPerSecond: row.max_per_second,
  retrySchedule: row.retry_schedule,
  caCertificate: row.ca_certificate,
  credentialVersion: row.credential_version,
  health: {
    failures: row.failures,
    failedDeliveries: row.failed_deliveries,
    firstFailureAt: row.first_failure_at,
    circuit:
      row.circuit_opened_at === null || row.next_probe_at === null
        ? null
        : {
            openedAt: row.circuit_opened_at,
            nextProbeAt: row.next_probe_at,
            failedProbes: row.failed_probes,
          },
  },
  nextSendInMs: row.next_send_in_ms,
});

const deliveryOf = (row: Row): FetchedDelivery[] =>
  row.id === null
    ? []
    : [
        {
          id: row.id,
          notificationId: row.event_id,
          eventType: row.event_type,
          paymentId: row.payment_id,
          attempts: row.attempts,
          scheduleStep: row.schedule_step,
          acceptedAt: row.created_at,
          dueAt: row.next_attempt_at,
          blockedBy: row.blocked_by,
          body: row.body,
          traceparent: row.traceparent,
        },
      ];

const PARK: Statement = {
  name: 'park',
  text: '/* park */ select park_deliveries($1::uuid[], $2::uuid[])',
};

/** Moves blocked deliveries out of the way until the one before them is due; see the function `park_deliveries`. */
export async function parkDeliveries(
  pipeline: Statements,
  blocked: readonly { readonly id: string; readonly blockedBy: string }[],
): Promise<void> {
  await pipeline.query(PARK, [uuids.binary(blocked, (b) => b.id), uuids.binary(blocked, (b) => b.blockedBy)]);
}
