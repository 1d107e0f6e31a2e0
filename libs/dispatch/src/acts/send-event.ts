import { companyIdsIn, newId, type FieldFault } from '#libs/contracts';
import {
  admitNow,
  insertCopies,
  lockEventToSend,
  recordAudit,
  type AuditEntry,
  type Database,
  type SentOn,
} from '#libs/database';
import { routeByHand } from '#libs/delivery';
import { StaleRoutingError } from '../accept/accept-batch.js';
import type { Routing } from '../accept/routing-directory.js';

export interface EventToSendByHand {
  readonly notificationId: string;
  /** Ids or `externalId`s. */
  readonly consumers: readonly string[];
}

export type EventSent =
  | ({ readonly kind: 'done'; readonly deliveryIds: readonly string[] } & SentOn)
  | { readonly kind: 'unknown' }
  /** These consumers must not get it. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** These have a delivery of it already. */
  | { readonly kind: 'repeated'; readonly consumerIds: readonly string[] };

/**
 * Sends an accepted event to consumers that it did not go to, with the number that it has in its payment.
 * @throws StaleRoutingError after rolling back; the caller tries again
 */
export async function sendEvent(
  db: Database,
  { notificationId, consumers }: EventToSendByHand,
  routing: Routing,
  audit: AuditEntry,
): Promise<EventSent> {
  return db.transaction().execute(async (trx): Promise<EventSent> => {
    const event = await lockEventToSend(trx, notificationId);
    if (event === undefined) return { kind: 'unknown' };
    if (event.routingVersion !== routing.version) throw new StaleRoutingError();
    const routed = routeByHand(routing.table, {
      eventType: event.eventType,
      companyIds: companyIdsIn(event.body),
      earlierConsumerIds: event.past.consumerIds,
      earlierCompanyIds: event.past.companyIds,
      named: consumers,
      isUnrouted: event.isUnrouted,
    });
    if (!routed.ok) return { kind: 'refused', faults: routed.faults };
    const repeated = routed.consumerIds.filter((id) => event.consumerIds.includes(id));
    if (repeated.length > 0) return { kind: 'repeated', consumerIds: repeated };
    const copies = routed.consumerIds.map((consumerId) => ({ deliveryId: newId(), consumerId }));
    const deliveryIds = copies.map(({ deliveryId }) => deliveryId);
    await insertCopies(trx, event, copies);
    const sentOn = await admitNow(trx, deliveryIds);
    await recordAudit(trx, { ...audit, details: { ...audit.details, deliveries: copies } });
    return { kind: 'done', deliveryIds, ...sentOn };
  });
}
