import type { EventType } from '#libs/contracts';
import { CompiledQuery } from 'kysely';
import { arrayLiteral, bigints, bytes, instants, integers, texts, uuids } from '../columns.js';
import type { Statement, Statements, Queryable } from '../connection.js';
import { codeOf } from '../faults.js';
import { sharesOf } from './payment-shares.js';

/** An event to be stored, with a delivery for each consumer concerned. */
export interface NewEvent {
  readonly id: string;
  readonly producer: string;
  readonly keyHash: Buffer;
  readonly contentHash: Buffer;
  readonly eventType: EventType;
  readonly paymentId: string | null;
  /** Number of later events of the same payment in the batch. */
  readonly followers: number;
  readonly status: string | null;
  readonly companyIds: readonly string[];
  readonly traceNumber: string | null;
  readonly imad: string | null;
  readonly eventAt: Date;
  readonly body: string;
  readonly traceparent: string | null;
  readonly deliveries: readonly { readonly id: string; readonly consumerId: string }[];
}

export type AcceptOutcome =
  /** Committed, unless it ran in the caller's transaction. `enqueue`: consumers that need a job. */
  | { readonly kind: 'accepted'; readonly enqueue: readonly string[] }
  /** Nothing was written. */
  | { readonly kind: 'stale_routing' | 'key_taken' };

const ACCEPT: Statement = {
  name: 'accept',
  text: '/* accept */ select outcome, enqueue::text[] as enqueue from accept_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)',
};

/**
 * **accept**: writes events with distinct idempotency keys, in their order, all or nothing; see the function
 * `accept_events`.
 * @param over the pipeline: one message, committed when it answers; or a transaction that has locked the payment
 * @param routingVersion version of the consumers' settings by which the events were routed
 */
export async function acceptEvents(
  over: Statements | Queryable,
  events: readonly NewEvent[],
  routingVersion: string,
): Promise<AcceptOutcome> {
  const values = valuesOf(events, routingVersion);
  try {
    const rows =
      'query' in over
        ? await over.query<Row>(ACCEPT, values)
        : (await over.executeQuery<Row>(CompiledQuery.raw(ACCEPT.text, values))).rows;
    const [row] = rows;
    if (row === undefined) throw new Error('the accept statement always answers one row');
    return row.outcome === 'accepted' ? { kind: 'accepted', enqueue: row.enqueue } : { kind: row.outcome };
  } catch (error) {
    // Another accept has used one of the keys since the function checked them.
    if (codeOf(error) === UNIQUE_VIOLATION) return { kind: 'key_taken' };
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

interface Row {
  outcome: AcceptOutcome['kind'];
  enqueue: string[];
}

function valuesOf(events: readonly NewEvent[], routingVersion: string): unknown[] {
  const shares = sharesOf(
    events.map((event) => ({
      ...event,
      consumerIds: event.deliveries.map(({ consumerId }) => consumerId),
    })),
  );
  const deliveries = events.flatMap((event, index) =>
    event.deliveries.map((delivery) => ({ ...delivery, event: index + 1 })),
  );
  return [
    routingVersion,
    texts.binary(events, (e) => e.producer),
    bytes.binary(events, (e) => e.keyHash),
    bytes.binary(events, (e) => e.contentHash),
    texts.binary(shares, (s) => s.eventType),
    texts.binary(shares, (s) => s.paymentId),
    integers.binary(shares, (s) => s.statuses),
    texts.binary(shares, (s) => s.newestStatus),
    texts.binary(shares, (s) => arrayLiteral([...s.companyIds])),
    texts.binary(shares, (s) => arrayLiteral([...s.consumerIds])),
    texts.binary(shares, (s) => arrayLiteral([...s.producers])),
    uuids.binary(events, (e) => e.id),
    texts.binary(events, (e) => e.eventType),
    texts.binary(events, (e) => e.paymentId),
    integers.binary(events, (e) => e.followers),
    texts.binary(events, (e) => e.status),
    texts.binary(events, (e) => e.traceNumber),
    texts.binary(events, (e) => e.imad),
    instants.binary(events, (e) => e.eventAt),
    texts.binary(events, (e) => e.body),
    texts.binary(events, (e) => arrayLiteral(e.deliveries.map((d) => d.consumerId))),
    texts.binary(events, (e) => arrayLiteral(e.deliveries.map((d) => d.id))),
    texts.binary(events, (e) => e.traceparent),
    uuids.binary(deliveries, (d) => d.id),
    bigints.binary(deliveries, (d) => d.event),
    uuids.binary(deliveries, (d) => d.consumerId),
  ];
}
