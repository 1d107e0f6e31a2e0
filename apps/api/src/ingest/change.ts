import { hash } from 'node:crypto';
import { buildEnvelope, newId, type Envelope, type FieldFault, type StatusChangeDto } from '#libs/contracts';
import type { NewEvent, OwnPayment, PaymentPast } from '#libs/database';
import { route, type RoutingTable } from '#libs/policy';

/** A producer's request for one status change, with checked content. */
export interface AcceptRequest {
  /** Name of the producer's API key: the scope of idempotency keys and of reads. */
  readonly producer: string;
  readonly idempotencyKey: string | undefined;
  readonly change: StatusChangeDto;
  /** The request's trace (`traceparent`). */
  readonly traceparent?: string | undefined;
}

/** A request with its id, envelope and fingerprints, which are computed before the transaction. */
export interface PreparedChange {
  readonly notificationId: string;
  readonly producer: string;
  readonly keyHash: Buffer;
  readonly contentHash: Buffer;
  readonly envelope: Envelope;
  readonly named: readonly string[] | undefined;
  readonly traceparent: string | null;
  /** Producer and key as one text, to find requests with the same key. */
  readonly keyId: string;
}

/** As hexadecimal digits, which Node returns in half the time of a Buffer. */
const sha256 = (text: string): string => hash('sha256', text);
const bytesOf = (hexadecimal: string): Buffer => Buffer.from(hexadecimal, 'hex');

/**
 * Builds the envelope, only once, and the two fingerprints of idempotency; without a key, the content is the key.
 * Prefixes distinguish a key from the hash of a content that looks the same.
 */
export function prepareChange(request: AcceptRequest): PreparedChange {
  const { producer, idempotencyKey: key, change, traceparent } = request;
  const notificationId = newId();
  const envelope = buildEnvelope(change, notificationId);
  const contentHash = sha256(envelope.content);
  const keyHash = bytesOf(sha256(key === undefined ? `content:${contentHash}` : `key:${key}`));
  return {
    notificationId,
    producer,
    keyHash,
    contentHash: bytesOf(contentHash),
    envelope,
    named: change.consumers,
    traceparent: traceparent ?? null,
    keyId: `${keyHash.toString('base64')} ${producer}`,
  };
}

/** The first changes, up to one whose idempotency key is among them: one statement accepts distinct keys, in their order. */
export function withDistinctKeys(changes: readonly PreparedChange[]): readonly PreparedChange[] {
  const keys = new Set<string>();
  const end = changes.findIndex(({ keyId }) => keys.size === keys.add(keyId).size);
  return end === -1 ? changes : changes.slice(0, end);
}

/**
 * The payment on whose past the routing of a change depends: a status without a company is routed to the consumers of
 * its producer's earlier statuses of the payment.
 */
export function inheritsFrom({ producer, envelope }: PreparedChange): OwnPayment | undefined {
  const { eventType, paymentId, companyIds } = envelope;
  return paymentId === null || companyIds.length > 0 ? undefined : { producer, eventType, paymentId };
}

export interface RoutedChanges {
  readonly events: readonly NewEvent[];
  /** Changes that name a consumer that must not get them, by notification id. */
  readonly refusals: ReadonlyMap<string, readonly FieldFault[]>;
}

/** A payment's past, with what the changes before the present one add to it. */
interface GrowingPast {
  readonly companyIds: Set<string>;
  readonly consumerIds: Set<string>;
  readonly lastNumber: number;
}

const ownKey = (payment: OwnPayment): string =>
  `${payment.eventType} ${payment.paymentId} ${payment.producer}`;

/**
 * Builds the events of changes, with a delivery for each consumer concerned.
 * @param pasts the pasts of the payments from which changes inherit
 */
export function routeChanges(
  changes: readonly PreparedChange[],
  table: RoutingTable,
  pasts: readonly (readonly [OwnPayment, PaymentPast])[],
): RoutedChanges {
  const growing = new Map(
    pasts.map(([payment, { companyIds, consumerIds, lastNumber }]): [string, GrowingPast] => [
      ownKey(payment),
      { companyIds: new Set(companyIds), consumerIds: new Set(consumerIds), lastNumber },
    ]),
  );
  const refusals = new Map<string, readonly FieldFault[]>();
  const places = new Map<string, number>();
  const placed = changes.flatMap((change) => {
    const { envelope, notificationId, producer, keyHash, contentHash, traceparent } = change;
    const { eventType, paymentId, companyIds, status, traceNumber, imad, eventAt, body } = envelope;
    const past = paymentId === null ? undefined : growing.get(ownKey({ producer, eventType, paymentId }));
    const routed = route(table, {
      eventType,
      companyIds,
      earlierConsumerIds: [...(past?.consumerIds ?? [])],
      earlierCompanyIds: [...(past?.companyIds ?? [])],
      named: change.named,
    });
    if (!routed.ok) {
      refusals.set(notificationId, routed.faults);
      return [];
    }
    for (const id of companyIds) past?.companyIds.add(id);
    for (const id of routed.consumerIds) past?.consumerIds.add(id);
    const payment = `${eventType} ${paymentId}`;
    const place = paymentId === null ? 0 : (places.get(payment) ?? 0) + 1;
    places.set(payment, place);
    const inherits = past !== undefined && inheritsFrom(change) !== undefined;
    const event = {
      id: notificationId,
      producer,
      keyHash,
      contentHash,
      eventType,
      paymentId,
      companyIds,
      status,
      traceNumber,
      imad,
      eventAt,
      body,
      traceparent,
      expectedNumber: inherits ? past.lastNumber + place : null,
      deliveries: routed.consumerIds.map((consumerId) => ({ id: newId(), consumerId })),
    };
    return [{ event, payment, place }];
  });
  // The last event of a payment gets the payment's new last number.
  const events = placed.map(({ event, payment, place }) => ({
    ...event,
    followers: (places.get(payment) ?? place) - place,
  }));
  return { events, refusals };
}
