import { newId } from '#libs/contracts';
import { claim, insertAccepted, type Claim, type Database, type NewEvent } from '#libs/database';

/** An event as **accept** writes it: the first status of a wire payment of its own, for nobody, but for what is given. */
export function newStatus(given: Partial<NewEvent> = {}): NewEvent {
  const id = newId();
  return {
    id,
    eventType: 'wire.status',
    paymentId: id,
    followers: 0,
    status: 'Review',
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

/** What such an event claims, under a key of its own unless one is given. */
export const claimOf = (
  event: NewEvent,
  { key = event.id, companyIds = [] }: { key?: string; companyIds?: readonly string[] } = {},
): Claim => ({
  ...event,
  notificationId: event.id,
  keyHash: Buffer.from(key),
  contentHash: Buffer.from(event.id),
  companyIds,
  consumerIds: event.deliveries.map(({ consumerId }) => consumerId),
});

/** **accept** in its two statements, in a transaction of the caller's. */
export async function writeStatus(trx: Database, event: NewEvent): Promise<void> {
  const { payments } = await claim(trx, [claimOf(event)]);
  await insertAccepted(trx, [event], payments);
}

/** The version that **accept** is told it has routed by. */
export async function routingVersion(db: Database): Promise<string> {
  const state = await db.selectFrom('dispatcher_state').select('routing_version').executeTakeFirstOrThrow();
  return state.routing_version;
}
