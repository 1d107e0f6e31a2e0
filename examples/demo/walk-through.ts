import { setTimeout as delay } from 'node:timers/promises';
import { DispatcherClient } from '#examples/demo/dispatcher-client';
import {
  achHistory,
  ACH_COMPANY,
  wireHistory,
  WIRE_COMPANY,
  type PostedChange,
} from '#examples/demo/payment-histories';
import {
  CREDENTIALS,
  startReferenceConsumer,
  type Arrival,
  type ReferenceConsumer,
} from '#examples/demo/reference-consumer';

/** How many times the consumer answers 503 to a status first, so that the demo shows retries. */
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
  readonly isComplete: boolean;
}

interface Accepted {
  notificationId: string;
  deliveries: { deliveryId: string }[];
}

/** Registers the reference consumer, posts two payments and prints what happens. The caller closes the consumer. */
export async function walkThrough(
  dispatcher: { readonly url: string; readonly adminApiKey: string },
  print: (line: string) => void,
): Promise<{ figures: Figures; consumer: ReferenceConsumer; producerKey: string }> {
  const startedAt = performance.now();
  const at = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(2).padStart(6)} s`;
  const admin = new DispatcherClient(dispatcher.url, dispatcher.adminApiKey);
  const consumer = await startReferenceConsumer(FAILURES, (arrival) =>
    print(`${at()}    ${describe(arrival)}`),
  );
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
  print(`${at()} Acme Corporation is registered: its payments go to ${consumer.url}`);

  const producer = new DispatcherClient(dispatcher.url, producerKey);
  const run = Date.now().toString(36).toUpperCase();
  const changes = [...achHistory(`ACH-${run}`, new Date()), ...wireHistory(`WIRE-${run}`, new Date())];
  const accepted: Accepted[] = [];
  for (const { paymentId, status, change } of changes) {
    accepted.push(await producer.post<Accepted>('/v1/events', change));
    print(`${at()} ${paymentId} is now ${status}: accepted`);
  }
  const delivered = await countDelivered(admin, accepted);
  return {
    figures: figuresOf(changes, accepted.length, delivered, consumer.arrivals),
    consumer,
    producerKey,
  };
}

async function countDelivered(admin: DispatcherClient, accepted: readonly Accepted[]): Promise<number> {
  const pending = new Set(
    accepted.flatMap((event) => event.deliveries.map((delivery) => delivery.deliveryId)),
  );
  const all = pending.size;
  for (
    const deadline = Date.now() + DELIVERED_WITHIN_MS;
    pending.size > 0 && Date.now() < deadline;
    await delay(100)
  ) {
    for (const id of pending) {
      const { state } = await admin.get<{ state: string }>(`/v1/deliveries/${id}`);
      if (state === 'delivered') pending.delete(id);
    }
  }
  return all - pending.size;
}

function figuresOf(
  changes: readonly PostedChange[],
  accepted: number,
  delivered: number,
  arrivals: readonly Arrival[],
): Figures {
  const acknowledged = arrivals.filter(
    (arrival) => arrival.answer === 200 && arrival.verdict === 'verified' && !arrival.isRepeat,
  );
  const statusesOf = (list: readonly { paymentId: string; status: string }[], paymentId: string): string =>
    list
      .filter((item) => item.paymentId === paymentId)
      .map((item) => item.status)
      .join();
  const payments = [...new Set(changes.map((change) => change.paymentId))];
  const isInOrder = payments.every((id) => statusesOf(acknowledged, id) === statusesOf(changes, id));
  const isComplete =
    isInOrder && [accepted, delivered, acknowledged.length].every((count) => count === changes.length);
  return { accepted, delivered, verified: acknowledged.length, isComplete };
}

function describe(arrival: Arrival): string {
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
