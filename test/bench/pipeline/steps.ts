import { insertAtOnce, type AttemptResult, type Database, type NewEvent, type Taken } from '#libs/database';

/** The version that **accept** is told it has routed by. */
export async function routingVersion(db: Database): Promise<string> {
  const state = await db.selectFrom('dispatcher_state').select('routing_version').executeTakeFirstOrThrow();
  return state.routing_version;
}

/** **accept** of events whose recipients are known, under keys that nobody has used. */
export async function accept(db: Database, events: readonly NewEvent[], version: string): Promise<void> {
  const claims = events.map((event) => ({
    ...event,
    notificationId: event.id,
    keyHash: Buffer.from(event.id),
    contentHash: Buffer.from(event.id),
    companyIds: ['C-1'],
    consumerIds: event.deliveries.map((delivery) => delivery.consumerId),
  }));
  const inserted = await insertAtOnce(db, claims, events, version);
  if (inserted === undefined) throw new Error('the events were not accepted at once');
}

/** What **record** is given of an attempt that the consumer has acknowledged. */
export const acknowledged = (taken: Taken): AttemptResult => ({
  deliveryId: taken.deliveryId,
  lease: taken.lease,
  lane: taken.lane,
  outcome: 'acknowledged',
  httpStatus: 200,
  detail: 'HTTP 200',
  startedAt: new Date(),
  durationMs: 12,
  url: taken.url,
  credentialVersion: taken.credentialVersion,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: '',
  responseTruncated: false,
  clockSkewMs: null,
  next: { state: 'delivered' },
});
