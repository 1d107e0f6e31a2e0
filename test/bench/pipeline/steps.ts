import {
  claim,
  insertAccepted,
  type AttemptResult,
  type Database,
  type NewEvent,
  type Taken,
} from '#libs/database';

/** **accept** of events whose recipients are known, under keys that nobody has used. */
export const accept = (db: Database, events: readonly NewEvent[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await claim(
      trx,
      events.map((event) => ({
        ...event,
        notificationId: event.id,
        keyHash: Buffer.from(event.id),
        contentHash: Buffer.from(event.id),
        companyIds: ['C-1'],
        consumerIds: event.deliveries.map((delivery) => delivery.consumerId),
      })),
    );
    await insertAccepted(trx, events);
  });

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
