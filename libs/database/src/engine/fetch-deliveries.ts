import type { EventType, Ordering, TimestampUnit } from '#libs/contracts';
import type { Health } from '#libs/policy';
import { bigints, booleans, instants, integers, uuids } from '../connection/columns.js';
import type { Statement, Statements } from '../connection/connection.js';
import { healthOf, type HealthRow } from './health.js';

/** The part of a fetch that one delivery session requests. */
export interface SessionRequest {
  readonly consumerId: string;
  /** The session's number; null: the fetch opens the session. */
  readonly session: number | null;
  /** The session was left, and goes on since it has work again. */
  readonly reopens?: boolean;
  /** Maximum number of deliveries to fetch. */
  readonly wanted: number;
  /** No delivery that is due before this time is left to send; null or absent: fetch from the beginning. */
  readonly dueFrom?: Date | null;
  /** The fetch answers also if nothing is due, and says what decides the end of a session that was left. */
  readonly answers?: boolean;
  /** The session was just left: the answer has a `mark`. */
  readonly marks?: boolean;
  /** Deliveries of the session whose result is not recorded yet. */
  readonly inFlight: readonly string[];
}

/** A consumer's settings and health at the time of the fetch. */
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
  /** Milliseconds until `maxPerSecond` allows the next request, by the former session's record; null: at once. */
  readonly nextSendInMs: number | null;
  /** Requests of former sessions that are not recorded yet; null: not asked for. */
  readonly heldElsewhere: number | null;
  /** Null: not asked for. */
  readonly end: EndFacts | null;
}

/** What decides whether a session that was left may end. Transactions are PostgreSQL's ids, which grow. */
export interface EndFacts {
  /** Milliseconds until the consumer has something to do; null: not before an event or an operator's change. */
  readonly wakeInMs: number | null;
  /** Every transaction before this one had ended when the fetch looked for due deliveries. */
  readonly oldestRunning: bigint;
  /** Every transaction that has read the session as open is before this one; null: not asked for. */
  readonly mark: bigint | null;
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
  /** The earlier delivery of its payment that blocks it. A blocked delivery must wait, and comes without a body. */
  readonly blockedBy: string | null;
  /** The frozen body; null when its event cannot be found. */
  readonly body: string | null;
  readonly traceparent: string | null;
}

/** One session's part of a fetch. Absent if nothing is due, unless the session was opened, lost or may not send. */
export interface Fetched {
  readonly consumer: FetchedConsumer;
  /** The longest due first; blocked ones are included, and count towards `wanted`. */
  readonly deliveries: readonly FetchedDelivery[];
}

const FETCH: Statement = {
  name: 'fetch',
  text: '/* fetch */ select * from fetch_deliveries($1, $2, $3, $4, $5, $6, $7, $8)',
};

/**
 * Opens the sessions without a number, and fetches for all sessions the deliveries that are due and not in flight.
 * One message; see the function `fetch_deliveries`.
 */
export async function fetchDeliveries(
  pipeline: Statements,
  requests: readonly SessionRequest[],
): Promise<Fetched[]> {
  const inFlight = requests.flatMap((request) => request.inFlight);
  const rows = await pipeline.query<Row>(FETCH, [
    uuids.binary(requests, (r) => r.consumerId),
    bigints.binary(requests, (r) => r.session),
    booleans.binary(requests, (r) => r.reopens ?? false),
    integers.binary(requests, (r) => r.wanted),
    instants.binary(requests, (r) => r.dueFrom ?? null),
    booleans.binary(requests, (r) => r.answers ?? false),
    booleans.binary(requests, (r) => r.marks ?? false),
    uuids.binary(inFlight, (id) => id),
  ]);
  const nowMs = performance.now();
  return [...Map.groupBy(rows, (row) => row.consumer_id).values()].map((ofConsumer) => {
    const [first] = ofConsumer;
    if (first === undefined) throw new Error('a group has at least one row');
    return { consumer: consumerOf(first, nowMs), deliveries: ofConsumer.flatMap(deliveryOf) };
  });
}

/** The function's `settings`. */
interface FetchedSettings extends Omit<FetchedConsumer, 'consumerId' | 'health' | 'heldElsewhere' | 'end'> {
  readonly health: HealthRow;
  readonly heldElsewhere?: number | null;
  /** Transaction ids as texts: they have 64 bits. */
  readonly end?: {
    readonly wakeInMs: number | null;
    readonly oldestRunning: string;
    readonly mark: string | null;
  } | null;
}

interface Row {
  consumer_id: string;
  settings: FetchedSettings;
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

/** @param nowMs when PostgreSQL has answered, by the monotonic clock */
const consumerOf = (
  { consumer_id: consumerId, settings: { health, heldElsewhere = null, end = null, ...settings } }: Row,
  nowMs: number,
): FetchedConsumer => ({
  ...settings,
  consumerId,
  health: healthOf(health, nowMs),
  heldElsewhere,
  end:
    end === null
      ? null
      : {
          wakeInMs: end.wakeInMs,
          oldestRunning: BigInt(end.oldestRunning),
          mark: end.mark === null ? null : BigInt(end.mark),
        },
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

export interface BlockedDelivery {
  readonly id: string;
  /** The earlier delivery of the same payment that is still pending. */
  readonly blockedBy: string;
}

/** Postpones blocked deliveries until the earlier one is due; see the function `park_deliveries`. */
export async function parkDeliveries(
  pipeline: Statements,
  blocked: readonly BlockedDelivery[],
): Promise<void> {
  await pipeline.query(PARK, [uuids.binary(blocked, (b) => b.id), uuids.binary(blocked, (b) => b.blockedBy)]);
}
