import { beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type {
  DeliveryDetailDto,
  DeliveryDto,
  DeliveryListDto,
} from '#apps/api/src/resources/deliveries/delivery.dto';
import type { FailureListDto } from '#apps/api/src/resources/consumers/diagnosis/failures.dto';
import type { SignatureExplanationDto } from '#apps/api/src/resources/consumers/signature/signature.dto';
import type { PortalProfileDto } from '#apps/api/src/resources/consumers/profile/profile.dto';
import type { StatsDto } from '#apps/api/src/system/stats/stats.dto';
import { achExample, wireExample } from '#libs/contracts';
import type { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { achChange, wireSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const system = await System.shared(1);
let acme: Customer;
let portal: ApiClient;
/** A delivered one and a dead one. */
let delivered: string;
let dead: string;
let deadPayment: string;

beforeAll(async () => {
  acme = await Customer.onboard(system.client, { retrySchedule: [1] });
  portal = await portalClient(system, acme.consumerId);
  const accepted = await system.client.accept(achChange(acme.company, randomUUID()));
  ({ deliveryId: delivered } = await system.client.waitForState(accepted, 'delivered'));
  acme.behave(() => ({ status: 503, body: 'down for maintenance' }));
  deadPayment = randomUUID();
  const failing = await system.client.accept(achChange(acme.company, deadPayment));
  ({ deliveryId: dead } = await system.client.waitForState(failing, 'dead'));
  acme.behave(() => ({}));
});

const get = <T>(path: string) => portal.call<T>('GET', `/v1${path}`);
const idsOf = async (query: string): Promise<string[]> =>
  (await get<DeliveryListDto>(`/deliveries?${query}`)).body.deliveries.map(({ deliveryId }) => deliveryId);

it('the profile shows the consumer’s own settings, health and counts, and no pause reason', async () => {
  const idle = await Customer.onboard(system.client);
  const people = await portalClient(system, idle.consumerId);
  const profile = async () => (await people.call<PortalProfileDto>('GET', '/v1/portal')).body;
  expect(await profile()).toMatchObject({
    name: idle.company,
    url: idle.server.url,
    eventTypes: ['ach.status', 'wire.status'],
    state: 'active',
    pausedAt: null,
    isSendingPaused: false,
    counts: { queued: 0, held: 0, delivered: 0, dead: 0 },
    waitingUrlRequest: null,
    expiringKeys: [],
  });
  await system.client.call('POST', `/v1/consumers/${idle.consumerId}/pause`, { reason: 'fraud suspected' });
  await system.client.accept(achChange(idle.company, randomUUID()));
  const paused = await profile();
  expect(paused).toMatchObject({
    state: 'paused',
    pausedAt: expect.any(String),
    pausedUntil: null,
    counts: { held: 1 },
  });
  expect(JSON.stringify(paused)).not.toContain('fraud');
  const waiting = await people.call<DeliveryListDto>('GET', '/v1/deliveries?waiting=true');
  expect(waiting.body.deliveries).toMatchObject([{ state: 'held', holdReason: 'paused' }]);
});

it('GET /v1/me shows which consumer a key belongs to', async () => {
  expect((await portal.call('GET', '/v1/me')).body).toMatchObject({
    roles: ['consumer'],
    consumerId: acme.consumerId,
    consumerName: acme.company,
  });
});

it('the statistics are those of the own consumer, and those of another one are like those of an unknown one', async () => {
  const sum = async (client: ApiClient, query = ''): Promise<number> => {
    const { body } = await client.call<StatsDto>('GET', `/v1/stats${query}`);
    return body.points.reduce((total, point) => total + point.delivered + point.dead, 0);
  };
  await waitUntil(async () => (await sum(portal)) >= 2, {
    what: 'the statistics of a delivered and a dead one',
  });
  expect(await sum(portal, `?consumerId=${acme.consumerId}`)).toBe(await sum(portal));
  const other = await portalClient(system, (await Customer.onboard(system.client)).consumerId);
  for (const query of ['', `?consumerId=${acme.consumerId}`, `?consumerId=${randomUUID()}`])
    expect(await sum(other, query)).toBe(0);
});

describe('own deliveries', () => {
  it('the list of own deliveries is filtered, and `missed` shows what was not delivered', async () => {
    expect(await idsOf('')).toEqual([dead, delivered]);
    expect(await idsOf('missed=true')).toEqual([dead]);
    expect(await idsOf('waiting=true')).toEqual([]);
    expect(await idsOf('state=delivered')).toEqual([delivered]);
    expect(await idsOf(`paymentId=${deadPayment}`)).toEqual([dead]);
    expect(await idsOf('outcome=http_status&httpStatus=503')).toEqual([dead]);
    expect(await idsOf('eventType=wire.status')).toEqual([]);
    expect(await idsOf('missed=true&from=2099-01-01T00:00Z')).toEqual([]);
    expect((await get('/deliveries?missed=false')).status).toBe(400);
  });

  it('a payment is found by its id, its trace number or its IMAD, and not by those of another consumer’s payment', async () => {
    const company = randomUUID();
    const paidBy = (debtor: string, reference: string) => {
      const change = achChange(debtor, randomUUID());
      change.data.achEventInfo.traceNumber = reference;
      return change;
    };
    const [traceNumber, theirs, late] = [randomUUID(), randomUUID(), randomUUID()];
    // It matches nobody yet, and is sent to the own consumer afterwards.
    const unrouted = await system.client.accept(paidBy(company, late));
    const own = await Customer.onboard(system.client, { achCompanyIds: [company] });
    const other = await Customer.onboard(system.client);
    const path = `/v1/events/${unrouted.notificationId}/deliveries`;
    const sent = await system.client.call('POST', path, { consumers: [own.consumerId], reason: 'a test' });
    expect(sent).toMatchObject({ status: 201 });
    const [wire = {}] = wireSequence(own.company, 'W-1');
    const [ach, wired] = await system.client.acceptAll([
      paidBy(company, traceNumber),
      wire,
      paidBy(other.company, theirs),
    ]);
    const people = await portalClient(system, own.consumerId);
    const found = async (reference: string): Promise<string[]> => {
      const { body } = await people.call<DeliveryListDto>('GET', `/v1/deliveries?reference=${reference}`);
      return body.deliveries.map(({ notificationId }) => notificationId);
    };
    expect(await found(traceNumber)).toEqual([ach?.notificationId]);
    expect(await found(late)).toEqual([unrouted.notificationId]);
    expect(await found(wireExample().data.wireEventInfo.IMAD ?? '')).toEqual([wired?.notificationId]);
    expect(await found('W-1')).toEqual([wired?.notificationId]);
    expect(await found(theirs)).toEqual([]);
  });

  it('an own delivery shows account numbers in full, the server’s answers, and advice for the consumer', async () => {
    const { body } = await get<DeliveryDetailDto>(`/deliveries/${dead}`);
    expect(body).toMatchObject({
      deliveryId: dead,
      state: 'dead',
      attemptCount: 2,
      lastHttpStatus: 503,
      attempts: [{ number: 1 }, { number: 2, url: acme.server.url, responseBody: 'down for maintenance' }],
    });
    expect(body.attempts[0]?.detail).toBeNull();
    expect(body.attempts[0]?.advice).toContain('Your server answered 503');
    expect(body.attempts[0]?.requestHeaders['authorization']).toBe('Basic [redacted]');
    expect(JSON.stringify(body.envelope)).toContain(achExample().data.achEventInfo.debtor.account.accountId);
    expect((await get(`/deliveries/${randomUUID()}`)).status).toBe(404);
  });

  it('a dead delivery is sent again, a delivered one only with `force`, and the audit log names the key', async () => {
    const other = await Customer.onboard(system.client, {
      retrySchedule: [1],
      behaviour: ({ time }) => (time <= 2 ? { status: 503 } : {}),
    });
    const people = await portalClient(system, other.consumerId, 'the other one');
    const accepted = await system.client.accept(achChange(other.company, randomUUID()));
    const { deliveryId } = await system.client.waitForState(accepted, 'dead');
    const resend = (body: object) =>
      people.call<DeliveryDto>('POST', `/v1/deliveries/${deliveryId}/retry`, body);
    expect(await resend({})).toMatchObject({ status: 200, body: { deliveryId, endReason: null } });
    await system.client.waitForState(accepted, 'delivered');
    expect((await resend({})).status).toBe(409);
    expect((await resend({ force: true, reason: 'we lost it' })).status).toBe(200);
    await other.waitForArrivals(4);
    expect(new Set(other.arrivals.map(({ notificationId }) => notificationId)).size).toBe(1);
    const { body } = await system.client.call<AuditListDto>('GET', `/v1/audit?target=delivery:${deliveryId}`);
    expect(body.entries).toMatchObject([
      {
        actor: 'the other one',
        role: 'consumer',
        reason: 'we lost it',
        details: { actorOf: `consumer:${other.consumerId}` },
      },
      { actor: 'the other one', reason: null },
    ]);
  });
});

describe('diagnosis by the consumer’s people', () => {
  it('failures are grouped by cause, with advice for the consumer', async () => {
    const { body } = await get<FailureListDto>(`/consumers/${acme.consumerId}/failures`);
    expect(body.failures).toMatchObject([
      {
        outcome: 'http_status',
        httpStatus: 503,
        count: 2,
        deliveries: 1,
        lastDeliveryId: dead,
        lastDetail: null,
      },
    ]);
    expect(body.failures[0]?.advice).toMatch(/^Your server answered 503/);
  });

  it('test deliveries beyond six in a minute answer 429', async () => {
    const idle = await Customer.onboard(system.client);
    const people = await portalClient(system, idle.consumerId);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push((await people.call('POST', `/v1/consumers/${idle.consumerId}/test`, {})).status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });

  it('without a delivery, the explained signature is that of the request that the own server received last, also if it refused it', async () => {
    const other = await Customer.onboard(system.client);
    const people = await portalClient(system, other.consumerId);
    const path = `/v1/consumers/${other.consumerId}/explain-signature`;
    const example = () => people.call<SignatureExplanationDto>('POST', path, {});
    expect((await example()).status).toBe(409);
    const accepted = await system.client.accept(achChange(other.company, randomUUID()));
    const { deliveryId } = await system.client.waitForState(accepted, 'delivered');
    const [arrival] = other.arrivals;
    const { 'x-signature': signature = '', 'x-timestamp': timestamp = '' } = arrival?.request.headers ?? {};
    const { status, body } = await example();
    expect([status, body]).toMatchObject([
      200,
      {
        deliveryId,
        notificationId: accepted.notificationId,
        signature,
        stringToSign: `POST${other.server.url}${arrival?.request.body ?? ''}${String(timestamp)}`,
        credentialVersion: 1,
      },
    ]);
    // While it is sent again, it is pending and has an acknowledged attempt only.
    await system.client.call('POST', `/v1/consumers/${other.consumerId}/pause`, { reason: 'a test' });
    await system.client.call('POST', `/v1/deliveries/${deliveryId}/retry`, { reason: 'a test', force: true });
    expect((await example()).body).toMatchObject({ deliveryId, signature });
    await system.client.call('POST', `/v1/consumers/${other.consumerId}/resume`, { reason: 'a test' });
    // Otherwise it could be refused, too, and be the last request after each retry.
    await system.client.waitForState(accepted, 'delivered');
    other.behave(() => ({ status: 401 }));
    const refused = await system.client.accept(achChange(other.company, randomUUID()));
    await waitUntil(async () => (await example()).body.notificationId === refused.notificationId, {
      what: 'the request that the server refused to be the example',
    });
    const comparison = { body: arrival?.request.body, timestamp, signature };
    const compare = (given: object) => people.call<object>('POST', path, { ...comparison, ...given });
    expect((await compare({})).body).toMatchObject({ kind: 'comparison', finding: 'match' });
    expect((await compare({ signature: '0'.repeat(64) })).body).toMatchObject({ finding: 'no_match' });
    expect((await compare({ signature: 'short' })).status).toBe(422);
  });
});
