import type { FieldFault } from '#libs/contracts';
import {
  addRecipients,
  claim,
  firstRequests,
  insertAccepted,
  insertAtOnce,
  ownPast,
  pipelined,
  type Claim,
  type ClaimedPayment,
  type Database,
  type NewEvent,
  type PaymentPast,
} from '#libs/database';
import { newEvents, unknownRecipients } from './new-events.js';
import type { PreparedChange } from './prepared-change.js';
import type { Routing } from './routing-directory.js';

/** A delivery of an event, as the producer is told of it. */
export interface Addressed {
  readonly deliveryId: string;
  readonly consumerId: string;
}

/** What an idempotency key stands for once the batch is committed. */
export interface Standing {
  readonly notificationId: string;
  readonly contentHash: Buffer;
  readonly deliveries: readonly Addressed[];
}

export interface BatchAccepted {
  /** By the requests' `keyId`. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Deliveries that may be sent now; the others are held behind an earlier status. */
  readonly queued: readonly Addressed[];
  /** Consumers at whose gates some were put on hold: what held them may be over by the commit. */
  readonly atGateOf: readonly string[];
}

/** A consumer has changed since the routing was read: nothing was written, read it anew. */
export class StaleRoutingError extends Error {
  override readonly name = 'StaleRoutingError';
  constructor() {
    super('the consumers have changed since the routing was read');
  }
}

/** Some requests must be refused, which only the payment's past could tell: nothing was written. */
export class RoutingRefusedError extends Error {
  override readonly name = 'RoutingRefusedError';
  constructor(readonly refusals: ReadonlyMap<string, readonly FieldFault[]>) {
    super('a request names a consumer that must not get it');
  }
}

/**
 * **accept** for changes with distinct idempotency keys, in the order in which they came: keys and payments are
 * claimed, the new ones routed, numbered and written, all in one transaction.
 * @throws StaleRoutingError, RoutingRefusedError after rolling back; the caller tries again
 */
export async function acceptBatch(
  db: Database,
  changes: readonly PreparedChange[],
  routing: Routing,
): Promise<BatchAccepted> {
  const { events, refusals } = newEvents(changes, () => undefined, routing);
  const claims = claimsOf(changes, events);
  // The usual case is one statement: each change says whose it is, and no key was used before.
  if (refusals.size === 0 && !changes.some(dependsOnPast)) {
    const inserted = await insertAtOnce(db, claims, events, routing.version);
    if (inserted !== undefined) return { ...inserted, standings: standingsOf(changes, events) };
  }
  return acceptInSteps(db, changes, claims, routing);
}

/** A status without a company goes where its producer's earlier statuses of the payment went. */
const dependsOnPast = ({ envelope }: PreparedChange): boolean =>
  envelope.companyIds.length === 0 && envelope.paymentId !== null;

/** @param claims of the changes, one each, with the recipients that are known without the payments' past */
async function acceptInSteps(
  db: Database,
  changes: readonly PreparedChange[],
  claims: readonly Claim[],
  routing: Routing,
): Promise<BatchAccepted> {
  return pipelined(db, async (trx, commit) => {
    const claimed = await claim(trx, claims);
    if (claimed.routingVersion !== routing.version) throw new StaleRoutingError();

    const repeated = changes.filter((change) => !claimed.fresh.has(change.notificationId));
    const first = await standingOf(trx, repeated);

    const fresh = changes.filter((change) => claimed.fresh.has(change.notificationId));
    const freshClaims = claims.filter((one) => claimed.fresh.has(one.notificationId));
    const pasts = await ownPasts(trx, freshClaims, claimed.payments);
    const { events, refusals } = newEvents(fresh, (change) => pasts.get(change.notificationId), routing);
    if (refusals.size > 0) throw new RoutingRefusedError(refusals);
    await addRecipients(trx, unknownRecipients(events, claimed.payments));
    const inserting = insertAccepted(trx, events, claimed.payments);
    commit();
    return { ...(await inserting), standings: new Map([...first, ...standingsOf(fresh, events)]) };
  });
}

/**
 * By notification id, for each change that carries no company: what its producer's own statuses of the payment say, those
 * of this batch included.
 */
async function ownPasts(
  trx: Database,
  claims: readonly Claim[],
  payments: readonly ClaimedPayment[],
): Promise<Map<string, PaymentPast>> {
  const pasts = new Map<string, PaymentPast>();
  for (const payment of payments) {
    const ofPayment = claims.filter(
      (one) => one.eventType === payment.eventType && one.paymentId === payment.paymentId,
    );
    for (const [producer, own] of Map.groupBy(ofPayment, (one) => one.producer)) {
      const bare = own.filter(({ companyIds }) => companyIds.length === 0);
      if (bare.length === 0) continue;
      const past = await ownPast(trx, payment, producer);
      const companyIds = [...past.companyIds, ...own.flatMap((one) => one.companyIds)];
      const consumerIds = [...past.consumerIds, ...own.flatMap((one) => one.consumerIds)];
      for (const { notificationId } of bare) pasts.set(notificationId, { companyIds, consumerIds });
    }
  }
  return pasts;
}

/** @param events what the changes become, one each */
const claimsOf = (changes: readonly PreparedChange[], events: readonly NewEvent[]): Claim[] =>
  changes.map((change, index) => ({
    notificationId: change.notificationId,
    producer: change.producer,
    keyHash: change.keyHash,
    contentHash: change.contentHash,
    eventType: change.envelope.eventType,
    paymentId: change.envelope.paymentId,
    status: change.envelope.status,
    companyIds: change.envelope.companyIds,
    consumerIds: events[index]?.deliveries.map(({ consumerId }) => consumerId) ?? [],
  }));

/** @param events what the changes became, one each */
const standingsOf = (
  changes: readonly PreparedChange[],
  events: readonly NewEvent[],
): Map<string, Standing> =>
  new Map(
    changes.map(({ keyId, notificationId, contentHash }, index) => {
      const deliveries = (events[index]?.deliveries ?? []).map((d) => ({
        deliveryId: d.id,
        consumerId: d.consumerId,
      }));
      return [keyId, { notificationId, contentHash, deliveries }];
    }),
  );

/** Reads what taken keys stand for; a later statement than the claim, which may have waited for their commit. */
async function standingOf(
  trx: Database,
  repeated: readonly PreparedChange[],
): Promise<Map<string, Standing>> {
  if (repeated.length === 0) return new Map();
  const first = await firstRequests(trx, repeated);
  return new Map(
    repeated.map((change) => {
      const found = first.find((f) => f.producer === change.producer && f.keyHash.equals(change.keyHash));
      if (found === undefined) throw new Error('an idempotency key is taken, yet cannot be read');
      return [change.keyId, found];
    }),
  );
}
