import { newId, type FieldFault } from '#libs/contracts';
import {
  addRecipients,
  claim,
  firstRequests,
  insertAccepted,
  pipelined,
  type ClaimedPayment,
  type Database,
  type NewEvent,
} from '#libs/database';
import { route, type Routed } from '#libs/delivery';
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
  const provisional = new Map(changes.map((change) => [change, routeChange(change, routing, undefined)]));
  return pipelined(db, async (trx, commit) => {
    const claimed = await claim(
      trx,
      changes.map((change) => {
        const routed = provisional.get(change);
        return {
          notificationId: change.notificationId,
          producer: change.producer,
          keyHash: change.keyHash,
          contentHash: change.contentHash,
          eventType: change.envelope.eventType,
          paymentId: change.envelope.paymentId,
          status: change.envelope.status,
          companyIds: change.envelope.companyIds,
          consumerIds: routed?.ok === true ? routed.consumerIds : [],
        };
      }),
    );
    if (claimed.routingVersion !== routing.version) throw new StaleRoutingError();

    const standings = new Map<string, Standing>();
    const repeated = changes.filter((change) => !claimed.fresh.has(change.notificationId));
    for (const [keyId, first] of await standingOf(trx, repeated)) standings.set(keyId, first);

    const fresh = changes.filter((change) => claimed.fresh.has(change.notificationId));
    const events = newEvents(fresh, claimed.payments, routing);
    await addRecipients(trx, unknownRecipients(events, claimed.payments));
    const inserting = insertAccepted(trx, events);
    commit();
    const { queued, atGateOf } = await inserting;
    fresh.forEach((change, index) => {
      standings.set(change.keyId, {
        notificationId: change.notificationId,
        contentHash: change.contentHash,
        deliveries: (events[index]?.deliveries ?? []).map((d) => ({
          deliveryId: d.id,
          consumerId: d.consumerId,
        })),
      });
    });
    return { standings, queued, atGateOf };
  });
}

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

function newEvents(
  fresh: readonly PreparedChange[],
  payments: readonly ClaimedPayment[],
  routing: Routing,
): NewEvent[] {
  const paymentOf = new Map(payments.map((p) => [paymentKey(p.eventType, p.paymentId), p]));
  // A payment's own are the last that its counter has given.
  const nextNumber = new Map(payments.map((p) => [paymentKey(p.eventType, p.paymentId), p.lastNumber + 1]));
  for (const { envelope } of fresh) {
    if (envelope.paymentId === null) continue;
    const key = paymentKey(envelope.eventType, envelope.paymentId);
    nextNumber.set(key, (nextNumber.get(key) ?? 1) - 1);
  }
  const refusals = new Map<string, readonly FieldFault[]>();
  const lanes = new Set<string>();
  const events = fresh.map((change): NewEvent => {
    const { envelope } = change;
    const key = envelope.paymentId === null ? null : paymentKey(envelope.eventType, envelope.paymentId);
    const number = key === null ? null : (nextNumber.get(key) ?? 1);
    if (key !== null && number !== null) nextNumber.set(key, number + 1);
    const routed = routeChange(change, routing, key === null ? undefined : paymentOf.get(key));
    if (!routed.ok) refusals.set(change.notificationId, routed.faults);
    return {
      id: change.notificationId,
      eventType: envelope.eventType,
      paymentId: envelope.paymentId,
      number,
      status: envelope.status,
      traceNumber: envelope.traceNumber,
      imad: envelope.imad,
      eventAt: envelope.eventAt,
      producer: change.producer,
      body: envelope.body,
      traceparent: change.traceparent,
      deliveries: (routed.ok ? routed.consumerIds : []).map((consumerId) => {
        const ordered = key !== null && !routing.unordered.has(consumerId);
        const lane = `${consumerId} ${key ?? ''}`;
        const behindInBatch = ordered && lanes.has(lane);
        if (ordered) lanes.add(lane);
        return { id: newId(), consumerId, ordered, behindInBatch };
      }),
    };
  });
  if (refusals.size > 0) throw new RoutingRefusedError(refusals);
  return events;
}

/** Recipients that the claim did not yet know of, by payment. */
function unknownRecipients(events: readonly NewEvent[], payments: readonly ClaimedPayment[]) {
  const recipientsOf = new Map<string, Set<string>>();
  for (const { eventType, paymentId, deliveries } of events) {
    if (paymentId === null || deliveries.length === 0) continue;
    const key = paymentKey(eventType, paymentId);
    const recipients = recipientsOf.get(key) ?? new Set();
    recipientsOf.set(key, recipients);
    for (const { consumerId } of deliveries) recipients.add(consumerId);
  }
  return payments.flatMap(({ eventType, paymentId, consumerIds }) => {
    const known = new Set(consumerIds);
    const added = [...(recipientsOf.get(paymentKey(eventType, paymentId)) ?? [])].filter(
      (id) => !known.has(id),
    );
    return added.length === 0 ? [] : [{ eventType, paymentId, consumerIds: added }];
  });
}

const paymentKey = (eventType: string, paymentId: string): string => `${eventType} ${paymentId}`;

function routeChange(change: PreparedChange, routing: Routing, payment: ClaimedPayment | undefined): Routed {
  return route(routing.table, {
    eventType: change.envelope.eventType,
    companyIds: change.envelope.companyIds,
    earlierConsumerIds: payment?.consumerIds ?? [],
    earlierCompanyIds: payment?.companyIds ?? [],
    named: change.named,
  });
}
