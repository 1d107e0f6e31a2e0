import type { EventType } from '#libs/contracts';
import { CompiledQuery } from 'kysely';
import { arrayLiteral, bytes, instants, integers, texts, uuids } from '../connection/columns.js';
import type { Queryable, Statement, Statements } from '../connection/connection.js';

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
  /**
   * The number that the event must get within its payment, if it was routed by the payment's past: another number means
   * that the past has grown meanwhile.
   */
  readonly expectedNumber?: number | null;
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
  /** Nothing was written: the consumers' settings have changed, a key was used before, or a payment's past has grown. */
  | { readonly kind: 'stale_routing' | 'key_taken' | 'stale_past' };

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
  const [row] =
    'query' in over
      ? await over.query<Row>(ACCEPT, values)
      : (await over.executeQuery<Row>(CompiledQuery.raw(ACCEPT.text, values))).rows;
  if (row === undefined) throw new Error('the accept statement always answers one row');
  return row.outcome === 'accepted' ? { kind: 'accepted', enqueue: row.enqueue } : { kind: row.outcome };
}

interface Row {
  outcome: AcceptOutcome['kind'];
  enqueue: string[];
}

function valuesOf(events: readonly NewEvent[], routingVersion: string): unknown[] {
  const shares = sharesOf(events);
  const recipients = [...new Set(events.flatMap((e) => e.deliveries.map(({ consumerId }) => consumerId)))];
  const behinds = behindsOf(events);
  return [
    routingVersion,
    uuids.binary(recipients, (id) => id),
    texts.binary(shares, (s) => s.eventType),
    texts.binary(shares, (s) => s.paymentId),
    integers.binary(shares, (s) => s.statuses),
    texts.binary(shares, (s) => s.newestStatus),
    texts.binary(shares, (s) => arrayLiteral([...s.companyIds])),
    texts.binary(shares, (s) => arrayLiteral([...s.consumerIds])),
    texts.binary(shares, (s) => arrayLiteral([...s.producers])),
    uuids.binary(events, (e) => e.id),
    texts.binary(events, (e) => e.producer),
    bytes.binary(events, (e) => e.keyHash),
    bytes.binary(events, (e) => e.contentHash),
    texts.binary(events, (e) => e.eventType),
    texts.binary(events, (e) => e.paymentId),
    integers.binary(events, (e) => e.followers),
    integers.binary(events, (e) => e.expectedNumber ?? null),
    texts.binary(events, (e) => e.status),
    texts.binary(events, (e) => e.traceNumber),
    texts.binary(events, (e) => e.imad),
    instants.binary(events, (e) => e.eventAt),
    texts.binary(events, (e) => e.body),
    texts.binary(events, (e) => e.traceparent),
    texts.binary(events, (e) => arrayLiteral(e.deliveries.map((d) => d.consumerId))),
    texts.binary(events, (e) => arrayLiteral(e.deliveries.map((d) => d.id))),
    texts.binary(behinds, (literal) => literal),
  ];
}

/** For each event an array literal: whether each of its consumers gets an earlier event of the payment in the batch. */
function behindsOf(events: readonly NewEvent[]): string[] {
  const earlier = new Set<string>();
  return events.map(({ eventType, paymentId, deliveries }) => {
    const payments = deliveries.map(({ consumerId }) => `${consumerId} ${eventType} ${paymentId}`);
    const behinds = payments.map((payment) => paymentId !== null && earlier.has(payment));
    for (const payment of payments) earlier.add(payment);
    return arrayLiteral(behinds.map(String));
  });
}

/** What a batch of events adds to the row of one payment. */
interface PaymentShare {
  readonly eventType: EventType;
  readonly paymentId: string;
  statuses: number;
  newestStatus: string | null;
  readonly companyIds: Set<string>;
  readonly consumerIds: Set<string>;
  readonly producers: Set<string>;
}

/** One share for each payment; events without a payment have none. */
function sharesOf(events: readonly NewEvent[]): PaymentShare[] {
  const shares = new Map<string, PaymentShare>();
  for (const { eventType, paymentId, status, companyIds, deliveries, producer } of events) {
    if (paymentId === null) continue;
    const key = `${eventType} ${paymentId}`;
    const share = shares.get(key) ?? {
      eventType,
      paymentId,
      statuses: 0,
      newestStatus: null,
      companyIds: new Set(),
      consumerIds: new Set(),
      producers: new Set(),
    };
    shares.set(key, share);
    share.statuses += 1;
    share.newestStatus = status ?? share.newestStatus;
    for (const id of companyIds) share.companyIds.add(id);
    for (const { consumerId } of deliveries) share.consumerIds.add(consumerId);
    share.producers.add(producer);
  }
  return [...shares.values()];
}
