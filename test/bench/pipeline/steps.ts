import {
  acceptEvents,
  type AttemptResult,
  type FetchedConsumer,
  type FetchedDelivery,
  type NewEvent,
  type Pipeline,
} from '#libs/database';

/** **accept** of events whose recipients are known, under keys that nobody has used. */
export async function accept(
  pipeline: Pipeline,
  events: readonly NewEvent[],
  version: string,
): Promise<void> {
  const { kind } = await acceptEvents(pipeline, events, version);
  if (kind !== 'accepted') throw new Error(`the events were not accepted: ${kind}`);
}

/** What **record** is given of an attempt that the consumer has acknowledged. */
export const acknowledged = (
  { consumerId, session, url, credentialVersion }: FetchedConsumer,
  { id, attempts }: FetchedDelivery,
): AttemptResult => ({
  consumerId,
  session,
  deliveryId: id,
  number: attempts + 1,
  outcome: 'acknowledged',
  httpStatus: 200,
  detail: 'HTTP 200',
  startedAt: new Date(),
  durationMs: 12,
  url,
  credentialVersion: credentialVersion ?? 1,
  requestHeaders: { 'content-type': 'application/json', authorization: '[redacted]' },
  responseHeaders: { 'content-length': '0' },
  responseBody: '',
  responseTruncated: false,
  clockSkewMs: null,
  probe: false,
  next: { state: 'delivered' },
  pausesConsumer: false,
});
