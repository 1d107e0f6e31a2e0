import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DispatcherClient } from '#examples/demo/dispatcher-client';
import { achHistory, traceNumberOf, wireHistory, type PostedChange } from '#examples/demo/payment-histories';
import { openSampleConsumerServer } from '#examples/demo/sample-consumer-server';
import { LATE_CONSUMER, SAMPLE_CONSUMERS, type SampleConsumer } from '#examples/demo/sample-consumers';

const FIRST_PAYMENTS = 320;
const BATCH = 400;
/** Pause between two later payments. */
const PAUSE_MS = { least: 150, most: 900 };
/** Payments that are posted before their consumer is registered: their events match no consumer. */
const EARLY_PAYMENTS = 2;
const ROLES = ['viewer', 'oncall', 'operator'] as const;

type Role = (typeof ROLES)[number];

export interface ContinuousPayments {
  /** API keys to sign in with, by role. */
  readonly keys: Readonly<Record<Role, string>>;
  /** How many payments were posted at first. */
  readonly payments: number;
  /** The trace number of an ACH payment that Gateway Retail refused. */
  readonly traceNumber: string;
  stop(): Promise<void>;
}

/**
 * Registers the sample consumers and posts some hundreds of payments, then single payments until it is stopped, so that
 * every screen of the console has content.
 */
export async function startContinuousPayments(
  dispatcher: { readonly url: string; readonly adminApiKey: string },
  producerKey: string,
): Promise<ContinuousPayments> {
  const admin = new DispatcherClient(dispatcher.url, dispatcher.adminApiKey);
  const producer = new DispatcherClient(dispatcher.url, producerKey);
  const server = await openSampleConsumerServer();
  for (const consumer of SAMPLE_CONSUMERS) await register(admin, consumer, server.urlOf(consumer));
  const keyFor = async (role: Role): Promise<string> =>
    (await admin.post<{ key: string }>('/v1/api-keys', { name: `demo-${role}`, roles: [role] })).key;
  const keys = {
    viewer: await keyFor('viewer'),
    oncall: await keyFor('oncall'),
    operator: await keyFor('operator'),
  };

  const companies = SAMPLE_CONSUMERS.map(({ company }) => company);
  const payments = Array.from({ length: FIRST_PAYMENTS }, (_, n) =>
    samplePayment(companies[n % companies.length] ?? '', n),
  );
  const early = Array.from({ length: EARLY_PAYMENTS }, (_, n) =>
    samplePayment(LATE_CONSUMER.company, FIRST_PAYMENTS + n),
  );
  const changes = [...early, ...payments].flat();
  for (let start = 0; start < changes.length; start += BATCH) {
    await producer.post('/v1/events/batch', {
      events: changes.slice(start, start + BATCH).map(({ change }) => change),
    });
  }
  await register(admin, LATE_CONSUMER, server.urlOf(LATE_CONSUMER));

  const stopping = new AbortController();
  const posting = postUntilStopped(producer, companies, stopping.signal);
  return {
    keys,
    payments: payments.length,
    traceNumber: traceNumberOf(
      1 + payments.findIndex((_, n) => n % 2 === 0 && companies[n % companies.length] === 'GATEWAY'),
    ),
    stop: async () => {
      stopping.abort();
      await posting;
      await server.close();
    },
  };
}

async function register(admin: DispatcherClient, consumer: SampleConsumer, url: string): Promise<void> {
  const { id } = await admin.post<{ id: string }>('/v1/consumers', {
    name: consumer.name,
    externalId: consumer.company.toLowerCase(),
    contact: consumer.contact,
    url,
    eventTypes: ['ach.status', 'wire.status'],
    achCompanyIds: [consumer.company],
    wireCompanyIds: [consumer.company],
    credentials: { username: 'bank', password: 'demo-password' },
    ...consumer.settings,
  });
  if (consumer.pauseReason !== undefined) {
    await admin.post(`/v1/consumers/${id}/pause`, { reason: consumer.pauseReason });
  }
}

/** The first statuses of a payment, or all of them. */
function samplePayment(company: string, n: number): PostedChange[] {
  const id = `${Date.now().toString(36).toUpperCase()}-${String(n).padStart(4, '0')}`;
  // The two payments of the walk-through have the number 0.
  const options = { company, number: n + 1 };
  const history =
    n % 2 === 0
      ? achHistory(`ACH-${id}`, new Date(), options)
      : wireHistory(`WIRE-${id}`, new Date(), options);
  return history.slice(0, randomInt(1, history.length + 1));
}

async function postUntilStopped(
  producer: DispatcherClient,
  companies: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let n = FIRST_PAYMENTS + EARLY_PAYMENTS; ; n += 1) {
    const wait = delay(randomInt(PAUSE_MS.least, PAUSE_MS.most), true, { signal }).catch(() => false);
    if (!(await wait)) return;
    const company = companies[randomInt(companies.length)] ?? '';
    for (const { change } of samplePayment(company, n)) {
      if (signal.aborted) return;
      // The dispatcher may be stopping; then a refused payment does not matter.
      await producer.post('/v1/events', change).catch(() => undefined);
    }
  }
}
