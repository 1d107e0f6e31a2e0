import { newId } from '#libs/contracts';
import { acceptEvents, type Queryable, type NewEvent, type Statements } from '#libs/database';

/** An event as **accept** stores it: by default the first status of a new wire payment, without deliveries. */
export function newStatus(given: Partial<NewEvent> = {}): NewEvent {
  const id = newId();
  return {
    id,
    keyHash: Buffer.from(id),
    contentHash: Buffer.from(id),
    eventType: 'wire.status',
    paymentId: id,
    followers: 0,
    status: 'Review',
    companyIds: [],
    traceNumber: null,
    imad: null,
    eventAt: new Date(),
    producer: 'hub',
    body: JSON.stringify({ notificationId: id }),
    traceparent: null,
    deliveries: [],
    ...given,
  };
}

/** An event with one delivery to this consumer. */
export const statusFor = (consumerId: string, given: Partial<NewEvent> = {}): NewEvent =>
  newStatus({ deliveries: [{ id: newId(), consumerId }], ...given });

/** The id of the event's first delivery. */
export const deliveryOf = (event: NewEvent): string => event.deliveries[0]?.id ?? '';

/** Accepts events with the current routing version. */
export async function acceptStatuses(over: Statements | Queryable, ...events: NewEvent[]): Promise<void> {
  const db = 'query' in over ? over.db : over;
  const outcome = await acceptEvents(over, events, await routingVersion(db));
  if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${outcome.kind}`);
}

/** The current version of the routing rules, which **accept** requires. */
export async function routingVersion(db: Queryable): Promise<string> {
  const state = await db.selectFrom('dispatcher_state').select('routing_version').executeTakeFirstOrThrow();
  return state.routing_version;
}
