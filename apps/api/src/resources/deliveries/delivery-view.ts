import type { DeliveryRow } from '#libs/database';
import type { Scope } from '../../access/scope.js';
import { viewOf } from '../../http/view-of.js';
import { DeliveryDto } from './delivery.dto.js';

/** A delivery in the API's form. */
export const deliveryView = (row: DeliveryRow): DeliveryDto =>
  viewOf(DeliveryDto, row, {
    deliveryId: row.id,
    notificationId: row.event_id,
    attemptCount: row.attempts,
    settlement:
      row.settled_at === null
        ? null
        : { at: row.settled_at.toISOString(), by: row.settled_by ?? '', reason: row.settle_reason ?? '' },
  });

/** Deliveries in the form for a scope: a consumer's own people do not see who settled one, and why. */
export const deliveryViewFor =
  ({ consumerId }: Scope) =>
  (row: DeliveryRow): DeliveryDto => {
    const view = deliveryView(row);
    if (consumerId === undefined || view.settlement === null) return view;
    return { ...view, settlement: { at: view.settlement.at, by: null, reason: null } };
  };
