import type { FieldFault } from '#libs/contracts';
import type { FirstRequest, NewEvent } from '#libs/database';
import type { SpanAttributes } from '#libs/observability';
import type { PreparedChange } from './change.js';

/** Result of one request. */
export type Acceptance =
  | {
      readonly kind: 'accepted';
      readonly notificationId: string;
      readonly duplicate: boolean;
      readonly deliveries: FirstRequest['deliveries'];
    }
  /** The idempotency key was used before, with other content. */
  | { readonly kind: 'conflict' }
  /** `consumers` names a consumer that is unknown or must not get the event. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** Nothing was stored: every try conflicted with concurrent changes. The same request may succeed later. */
  | { readonly kind: 'busy' };

export const acceptanceOf = (event: NewEvent): Acceptance => ({
  kind: 'accepted',
  notificationId: event.id,
  duplicate: false,
  deliveries: event.deliveries.map(({ id, consumerId }) => ({ deliveryId: id, consumerId })),
});

/** Results of the changes whose key was used before: the answer of the first request with the key, or a conflict. */
export function repeatedIn(
  changes: readonly PreparedChange[],
  first: readonly FirstRequest[],
): ReadonlyMap<string, Acceptance> {
  const results = new Map<string, Acceptance>();
  for (const { producer, keyHash, contentHash, notificationId: id } of changes) {
    const found = first.find((request) => request.producer === producer && request.keyHash.equals(keyHash));
    if (found === undefined) continue;
    const { notificationId, deliveries } = found;
    // If a batch was committed in part and is tried again, a change finds itself as the first request.
    const duplicate = notificationId !== id;
    const isSame = found.contentHash.equals(contentHash);
    results.set(
      id,
      isSame ? { kind: 'accepted', notificationId, duplicate, deliveries } : { kind: 'conflict' },
    );
  }
  return results;
}

/** What a trace shows of a result. */
export const factsOf = (acceptance: Acceptance): SpanAttributes =>
  acceptance.kind === 'accepted'
    ? {
        'dispatcher.acceptance': acceptance.duplicate ? 'duplicate' : 'accepted',
        'dispatcher.notification_id': acceptance.notificationId,
        'dispatcher.deliveries': acceptance.deliveries.length,
      }
    : { 'dispatcher.acceptance': acceptance.kind };
