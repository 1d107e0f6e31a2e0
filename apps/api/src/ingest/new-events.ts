import { newId, type FieldFault } from '#libs/contracts';
import type { NewEvent, PaymentPast } from '#libs/database';
import { route } from '#libs/policy';
import type { PreparedChange } from './prepared-change.js';
import type { Routing } from './routing-directory.js';

/**
 * Builds the events of changes, with a delivery for each consumer concerned. Changes that name a consumer that must
 * not get them are in `refusals`, by notification id.
 * @param past the past of the payment, for a change without a company
 */
export function newEvents(
  changes: readonly PreparedChange[],
  routing: Routing,
  past?: PaymentPast,
): { events: NewEvent[]; refusals: Map<string, readonly FieldFault[]> } {
  const refusals = new Map<string, readonly FieldFault[]>();
  const events = changes.flatMap((change): NewEvent[] => {
    const { envelope, notificationId } = change;
    const routed = route(routing.table, {
      eventType: envelope.eventType,
      companyIds: envelope.companyIds,
      earlierConsumerIds: past?.consumerIds ?? [],
      earlierCompanyIds: past?.companyIds ?? [],
      named: change.named,
    });
    if (!routed.ok) {
      refusals.set(notificationId, routed.faults);
      return [];
    }
    return [
      {
        id: notificationId,
        producer: change.producer,
        keyHash: change.keyHash,
        contentHash: change.contentHash,
        eventType: envelope.eventType,
        paymentId: envelope.paymentId,
        followers: 0,
        status: envelope.status,
        companyIds: envelope.companyIds,
        traceNumber: envelope.traceNumber,
        imad: envelope.imad,
        eventAt: envelope.eventAt,
        body: envelope.body,
        traceparent: change.traceparent,
        deliveries: routed.consumerIds.map((consumerId) => ({ id: newId(), consumerId })),
      },
    ];
  });
  return { events: withFollowers(events), refusals };
}

/**
 * Sets for each event the number of later events of the same payment: the last one has the payment's new last number.
 */
function withFollowers(events: readonly NewEvent[]): NewEvent[] {
  const after = new Map<string, number>();
  return events
    .toReversed()
    .map((event) => {
      if (event.paymentId === null) return event;
      const payment = `${event.eventType} ${event.paymentId}`;
      const followers = after.get(payment) ?? 0;
      after.set(payment, followers + 1);
      return { ...event, followers };
    })
    .toReversed();
}
