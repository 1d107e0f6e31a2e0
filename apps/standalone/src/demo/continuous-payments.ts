import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Standalone } from '../start-standalone.js';
import { SAMPLE_CONSUMERS, type SampleConsumer } from './sample-consumers.js';
import { openSampleConsumerServer } from './sample-consumer-server.js';
import { DispatcherClient } from './dispatcher-client.js';
import { achLife, traceNumberOf, wireLife, type PostedChange } from './payment-histories.js';

const PAYMENTS_AT_FIRST = 320;
const BATCH = 400;
/** Between two payments that go on happening while somebody looks around. */
const PAUSE_MS = { least: 150, most: 900 };
/** Companies that nobody has onboarded: their payments concern no consumer. */
const STRANGERS = ['JUNIPERCO', 'KINGFISHER'];

export interface EverydayLife {
  /** Keys to sign in with, by role. */
  readonly keys: Readonly<Record<'viewer' | 'oncall' | 'operator', string>>;
  readonly payments: number;
  /** Of an ACH payment that Gateway Retail refused. */
  readonly traceNumber: string;
  stop(): Promise<void>;
}

/**
 * Onboards the cast and posts some hundreds of payments, then one now and then until it is stopped, so that every
 * screen of the console has something true to show.
 */
export async function beginEverydayLife(standalone: Standalone, producerKey: string): Promise<EverydayLife> {
  const admin = new DispatcherClient(standalone.url, standalone.adminApiKey);
  const producer = new DispatcherClient(standalone.url, producerKey);
  const stage = await openSampleConsumerServer();
  for (const member of SAMPLE_CONSUMERS) await onboard(admin, member, stage.urlOf(member));
  const keys = {
    viewer: await keyFor(admin, 'viewer'),
    oncall: await keyFor(admin, 'oncall'),
    operator: await keyFor(admin, 'operator'),
  };

  const companies = [...SAMPLE_CONSUMERS.map(({ company }) => company), ...STRANGERS];
  const payments = Array.from({ length: PAYMENTS_AT_FIRST }, (_, n) =>
    aPayment(companies[n % companies.length] ?? '', n),
  );
  const changes = payments.flat();
  for (let start = 0; start < changes.length; start += BATCH) {
    await producer.post('/v1/events/batch', {
      events: changes.slice(start, start + BATCH).map(({ change }) => change),
    });
  }

  const stopping = new AbortController();
  const goingOn = goOn(producer, companies, stopping.signal);
  return {
    keys,
    payments: payments.length,
    traceNumber: traceNumberOf(
      1 + payments.findIndex((_, n) => n % 2 === 0 && companies[n % companies.length] === 'GATEWAY'),
    ),
    stop: async () => {
      stopping.abort();
      await goingOn;
      await stage.close();
    },
  };
}

async function onboard(admin: DispatcherClient, member: SampleConsumer, url: string): Promise<void> {
  const { id } = await admin.post<{ id: string }>('/v1/consumers', {
    name: member.name,
    externalId: member.company.toLowerCase(),
    contact: member.contact,
    url,
    eventTypes: ['ach.status', 'wire.status'],
    achCompanyIds: [member.company],
    wireCompanyIds: [member.company],
    credentials: { username: 'bank', password: 'demo-password' },
    ...member.settings,
  });
  if (member.pausedBecause !== undefined) {
    await admin.post(`/v1/consumers/${id}/pause`, { reason: member.pausedBecause });
  }
}

async function keyFor(admin: DispatcherClient, role: 'viewer' | 'oncall' | 'operator'): Promise<string> {
  const { key } = await admin.post<{ key: string }>('/v1/api-keys', { name: `demo-${role}`, roles: [role] });
  return key;
}

/** The beginning of a payment's life, or all of it. */
function aPayment(company: string, n: number): PostedChange[] {
  const id = `${Date.now().toString(36).toUpperCase()}-${String(n).padStart(4, '0')}`;
  // The story's two payments have the number 0.
  const of = { company, number: n + 1 };
  const life = n % 2 === 0 ? achLife(`ACH-${id}`, new Date(), of) : wireLife(`WIRE-${id}`, new Date(), of);
  return life.slice(0, randomInt(1, life.length + 1));
}

async function goOn(
  producer: DispatcherClient,
  companies: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let n = PAYMENTS_AT_FIRST; ; n += 1) {
    const wait = delay(randomInt(PAUSE_MS.least, PAUSE_MS.most), true, { signal }).catch(() => false);
    if (!(await wait)) return;
    const company = companies[randomInt(companies.length)] ?? '';
    for (const { change } of aPayment(company, n)) {
      if (signal.aborted) return;
      // The process may be stopping under it, and what it would say is of no use then.
      await producer.post('/v1/events', change).catch(() => undefined);
    }
  }
}
