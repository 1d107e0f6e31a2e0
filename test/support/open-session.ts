import type { AttemptResult, FetchedConsumer, FetchedDelivery } from '#libs/database';
import { HEALTHY } from '#libs/policy';
import { DeliverySession } from '#apps/worker/src/session/session';

const CONSUMER: FetchedConsumer = {
  consumerId: 'c',
  session: 7,
  held: true,
  maySend: true,
  url: 'http://127.0.0.1/',
  timeoutMs: 10_000,
  timestampUnit: 'seconds',
  ordering: 'payment',
  maxConcurrency: 4,
  maxPerSecond: null,
  retrySchedule: null,
  caCertificate: null,
  credentialVersion: 1,
  health: HEALTHY,
  nextSendInMs: null,
  heldElsewhere: null,
  end: null,
};

/** A consumer with session 7, as a fetch returns it. */
export const fetchedConsumer = (given: Partial<FetchedConsumer> = {}): FetchedConsumer => ({
  ...CONSUMER,
  ...given,
});

/** A due delivery, as a fetch returns it. */
export const fetchedDelivery = (id: string, given: Partial<FetchedDelivery> = {}): FetchedDelivery => ({
  id,
  notificationId: `n-${id}`,
  eventType: 'ach.status',
  paymentId: null,
  attempts: 0,
  scheduleStep: 0,
  acceptedAt: new Date(),
  dueAt: new Date(),
  blockedBy: null,
  body: '{}',
  traceparent: null,
  ...given,
});

/** A session that PostgreSQL has opened with number 7, at `nowMs` of `performance.now()`. */
export function openSession(given: Partial<FetchedConsumer> = {}, nowMs = 0): DeliverySession {
  const consumer = fetchedConsumer(given);
  const session = new DeliverySession(consumer.consumerId, 'job', nowMs);
  session.update(consumer, nowMs, nowMs);
  return session;
}

/** The result of an acknowledged first attempt. */
export const attemptResult = (given: Partial<AttemptResult> = {}): AttemptResult => ({
  consumerId: 'c',
  session: 7,
  deliveryId: 'd',
  number: 1,
  scheduleStep: 0,
  outcome: 'acknowledged',
  httpStatus: 200,
  detail: '',
  startedAt: new Date(),
  durationMs: 1,
  url: CONSUMER.url,
  credentialVersion: 1,
  requestHeaders: {},
  responseHeaders: { server: 'x' },
  responseBody: 'ok',
  responseTruncated: false,
  clockSkewMs: null,
  remoteAddress: '192.0.2.10',
  probe: false,
  next: { state: 'delivered' },
  pausesConsumer: false,
  ...given,
});
