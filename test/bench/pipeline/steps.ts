import { insertAtOnce, type AttemptResult, type Database, type NewEvent, type Taken } from '#libs/database';
import { claimOf } from '#test/support/new-status';

/** **accept** of events whose recipients are known, under keys that nobody has used. */
export async function accept(db: Database, events: readonly NewEvent[], version: string): Promise<void> {
  const claims = events.map((event) => claimOf(event, { companyIds: ['C-1'] }));
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
