import { setTimeout as delay } from 'node:timers/promises';
import type { Standalone } from '../start-standalone.js';
import { DispatcherClient } from './dispatcher-client.js';
import { achLife, ACH_COMPANY, wireLife, WIRE_COMPANY, type PostedChange } from './payment-histories.js';
import {
  CREDENTIALS,
  startReferenceConsumer,
  type Arrival,
  type ReferenceConsumer,
} from './reference-consumer.js';

/** The consumer turns these statuses away this often, so that a retry can be seen. */
const FAILURES = new Map([
  ['PROCESSED', 1],
  ['Exception', 2],
]);
const DELIVERED_WITHIN_MS = 60_000;

export interface Figures {
  readonly accepted: number;
  readonly delivered: number;
  readonly verified: number;
  /** All were accepted, delivered in order and verified. */
  readonly isWhole: boolean;
}

interface Accepted {
  notificationId: string;
  deliveries: { deliveryId: string }[];
}

/** Onboards the consumer, posts two payments' lives and tells what happens. Who calls closes the consumer. */
export async function walkThrough(
  standalone: Standalone,
  say: (line: string) => void,
): Promise<{ figures: Figures; consumer: ReferenceConsumer; producerKey: string }> {
  const startedAt = performance.now();
  const at = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(2).padStart(6)} s`;
  const admin = new DispatcherClient(standalone.url, standalone.adminApiKey);
  const consumer = await startReferenceConsumer(FAILURES, (arrival) => say(`${at()}    ${inWords(arrival)}`));
  const { key: producerKey } = await admin.post<{ key: string }>('/v1/api-keys', {
    name: 'demo-hub',
    roles: ['producer'],
  });
  const registered = await admin.post<{ id: string; signingSecret: string }>('/v1/consumers', {
    name: 'Acme Corporation',
    url: consumer.url,
    eventTypes: ['ach.status', 'wire.status'],
    achCompanyIds: [ACH_COMPANY],
    wireCompanyIds: [WIRE_COMPANY],
    credentials: CREDENTIALS,
    retrySchedule: [1, 1, 2, 4, 8],
  });
  consumer.trust(registered.signingSecret);
  say(`${at()} Acme Corporation is onboarded: its payments go to ${consumer.url}`);

  const producer = new DispatcherClient(standalone.url, producerKey);
  const run = Date.now().toString(36).toUpperCase();
  const changes = [...achLife(`ACH-${run}`, new Date()), ...wireLife(`WIRE-${run}`, new Date())];
  const accepted: Accepted[] = [];
  for (const { paymentId, status, change } of changes) {
    accepted.push(await producer.post<Accepted>('/v1/events', change));
    say(`${at()} ${paymentId} is now ${status}: accepted`);
  }
  const delivered = await countDelivered(admin, accepted);
  return {
    figures: figuresOf(changes, accepted.length, delivered, consumer.arrivals),
    consumer,
    producerKey,
  };
}

async function countDelivered(admin: DispatcherClient, accepted: readonly Accepted[]): Promise<number> {
  const open = new Set(accepted.flatMap((event) => event.deliveries.map((delivery) => delivery.deliveryId)));
  const all = open.size;
  for (
    const deadline = Date.now() + DELIVERED_WITHIN_MS;
    open.size > 0 && Date.now() < deadline;
    await delay(100)
  ) {
    for (const id of open) {
      const { state } = await admin.get<{ state: string }>(`/v1/deliveries/${id}`);
      if (state === 'delivered') open.delete(id);
    }
  }
  return all - open.size;
}

function figuresOf(
  changes: readonly PostedChange[],
  accepted: number,
  delivered: number,
  arrivals: readonly Arrival[],
): Figures {
  const taken = arrivals.filter(
    (arrival) => arrival.answer === 200 && arrival.verdict === 'verified' && !arrival.isRepeat,
  );
  const statusesOf = (list: readonly { paymentId: string; status: string }[], paymentId: string): string =>
    list
      .filter((item) => item.paymentId === paymentId)
      .map((item) => item.status)
      .join();
  const payments = [...new Set(changes.map((change) => change.paymentId))];
  const isInOrder = payments.every((id) => statusesOf(taken, id) === statusesOf(changes, id));
  const isWhole = isInOrder && [accepted, delivered, taken.length].every((count) => count === changes.length);
  return { accepted, delivered, verified: taken.length, isWhole };
}

function inWords(arrival: Arrival): string {
  const what = `${arrival.paymentId} ${arrival.status}`;
  switch (arrival.answer) {
    case 200:
      return `→ ${what} arrives, ${arrival.verdict}: 200${arrival.isRepeat ? ' (seen before)' : ''}`;
    case 503:
      return `→ ${what} arrives, ${arrival.verdict}, but the consumer is busy: 503, so it comes again`;
    default:
      return `→ ${what} arrives and is refused: ${arrival.verdict}`;
  }
}
