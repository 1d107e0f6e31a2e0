import { newId, type FieldFault } from '#libs/contracts';
import type { ClaimedPayment, NewEvent, PaymentPast } from '#libs/database';
import { route, type Routed } from '#libs/delivery';
import type { PreparedChange } from './prepared-change.js';
import type { Routing } from './routing-directory.js';

/**
 * What changes become: one event each, with a delivery for each consumer that it concerns. Those that name a consumer who
 * must not get them are among the refusals, by their notification ids.
 * @param pastOf what is known of the payment of a change without a company
 */
export function newEvents(
  changes: readonly PreparedChange[],
  pastOf: (change: PreparedChange) => PaymentPast | undefined,
  routing: Routing,
): { events: NewEvent[]; refusals: Map<string, readonly FieldFault[]> } {
  const followersOf = new Map<string, number>();
  for (const { envelope } of changes) {
    if (envelope.paymentId === null) continue;
    const key = paymentKey(envelope.eventType, envelope.paymentId);
    followersOf.set(key, (followersOf.get(key) ?? 0) + 1);
  }
  const refusals = new Map<string, readonly FieldFault[]>();
  const lanes = new Set<string>();
  const events = changes.map((change): NewEvent => {
    const { envelope } = change;
    const key = envelope.paymentId === null ? null : paymentKey(envelope.eventType, envelope.paymentId);
    const followers = key === null ? 0 : (followersOf.get(key) ?? 1) - 1;
    if (key !== null) followersOf.set(key, followers);
    const routed = routeChange(change, routing, pastOf(change));
    if (!routed.ok) refusals.set(change.notificationId, routed.faults);
    return {
      id: change.notificationId,
      eventType: envelope.eventType,
      paymentId: envelope.paymentId,
      followers,
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
  return { events, refusals };
}

/** Recipients that the claim did not yet know of, by payment. */
export function unknownRecipients(events: readonly NewEvent[], payments: readonly ClaimedPayment[]) {
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

function routeChange(change: PreparedChange, routing: Routing, past: PaymentPast | undefined): Routed {
  return route(routing.table, {
    eventType: change.envelope.eventType,
    companyIds: change.envelope.companyIds,
    earlierConsumerIds: past?.consumerIds ?? [],
    earlierCompanyIds: past?.companyIds ?? [],
    named: change.named,
  });
}
