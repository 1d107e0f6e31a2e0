import type { DeliveryRow } from '#libs/database';
import type { Scope } from '../../access/scope.js';
import type { DeliveryDto } from './delivery.dto.js';

/** A delivery in the API's form. */
export function deliveryView(row: DeliveryRow): DeliveryDto {
  return {
    deliveryId: row.id,
    notificationId: row.event_id,
    consumerId: row.consumer_id,
    consumerName: row.consumer_name,
    eventType: row.event_type,
    paymentId: row.payment_id,
    status: row.status,
    state: row.state,
    holdReason: row.hold_reason,
    heldSince: row.held_since?.toISOString() ?? null,
    attemptCount: row.attempts,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    lastOutcome: row.last_outcome,
    lastHttpStatus: row.last_http_status,
    createdAt: row.created_at.toISOString(),
    firstAttemptAt: row.first_attempt_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    endReason: row.end_reason,
    settlement:
      row.settled_at === null
        ? null
        : { at: row.settled_at.toISOString(), by: row.settled_by ?? '', reason: row.settle_reason ?? '' },
  };
}

/** Deliveries in the form for a scope: a consumer's own people do not see who settled one, and why. */
export const viewOf =
  ({ consumerId }: Scope) =>
  (row: DeliveryRow): DeliveryDto => {
    const view = deliveryView(row);
    if (consumerId === undefined || view.settlement === null) return view;
    return { ...view, settlement: { at: view.settlement.at, by: null, reason: null } };
  };
