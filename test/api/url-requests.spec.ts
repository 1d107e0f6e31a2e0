import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type {
  UrlRequestDto,
  UrlRequestListDto,
} from '#apps/api/src/resources/consumers/url-requests/url-request.dto';
import type { PortalProfileDto } from '#apps/api/src/resources/consumers/profile/profile.dto';
import type {
  PortalUrlRequestDto,
  PortalUrlRequestListDto,
} from '#apps/api/src/resources/consumers/url-requests/portal-url-request.dto';
import { ApiClient } from '#test/support/api-client';
import { portalClient } from '#test/support/portal-client';
import { System } from '#test/support/system';

const BEFORE = 'https://consumer.example/hook';
const WANTED = 'https://consumer.example/v2/hook';

interface Problem {
  detail: string;
  errors?: { field: string; message: string }[];
}

const system = await System.shared(0);
let consumerId: string;
let portal: ApiClient;

const operator = await system.clientOf(['operator'], 'olga of the bank');
beforeEach(async () => {
  ({ id: consumerId } = await system.client.registerConsumer({
    name: 'Acme',
    url: BEFORE,
    eventTypes: ['ach.status'],
    credentials: { username: 'bank', password: 'a-password-of-the-test' },
  }));
  portal = await portalClient(system, consumerId);
});

const make = (body: object = { url: WANTED, reason: 'a new server' }) =>
  portal.call<PortalUrlRequestDto & Problem>('POST', '/v1/portal/url-requests', body);
const own = async () =>
  (await portal.call<PortalUrlRequestListDto>('GET', '/v1/portal/url-requests')).body.urlRequests;
const decide = (id: string, decision: 'approve' | 'reject', body: object = {}) =>
  operator.call<UrlRequestDto & Problem>('POST', `/v1/url-requests/${id}/${decision}`, body);
const withdraw = async (id: string): Promise<number> =>
  (await portal.call('DELETE', `/v1/portal/url-requests/${id}`)).status;
const urlNow = async (): Promise<string> => (await system.client.consumer(consumerId)).url;
const audited = async () =>
  (await system.client.call<AuditListDto>('GET', `/v1/audit?target=consumer:${consumerId}`)).body.entries;

describe('request of a new URL', () => {
  it('a requested URL waits: the consumer’s URL is unchanged, and both sides see the request', async () => {
    const { status, body } = await make();
    expect([status, body]).toMatchObject([
      201,
      { url: WANTED, state: 'waiting', reason: 'a new server', madeBy: 'treasury', decidedAt: null },
    ]);
    expect(await urlNow()).toBe(BEFORE);
    expect(await own()).toEqual([body]);
    const profile = await portal.call<PortalProfileDto>('GET', '/v1/portal');
    expect(profile.body.waitingUrlRequest).toEqual(body);
    const waiting = await operator.call<UrlRequestListDto>(
      'GET',
      '/v1/url-requests?state=waiting&limit=1000',
    );
    expect(waiting.body.urlRequests).toContainEqual(
      expect.objectContaining({
        id: body.id,
        consumerId,
        consumerName: 'Acme',
        url: WANTED,
        urlBefore: BEFORE,
        currentUrl: BEFORE,
      }),
    );
    expect(await audited()).toMatchObject([
      { action: 'url-request.made', actor: 'treasury', role: 'consumer', reason: 'a new server' },
      { action: 'api-key.created' },
      { action: 'consumer.registered' },
    ]);
  });

  it('of simultaneous requests exactly one waits, and the present URL is refused', async () => {
    expect((await make({ url: BEFORE })).status).toBe(409);
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await make()).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });

  it('a requested URL is checked by the rules of a registration, without settings of the bank', async () => {
    for (const url of [
      'not a url',
      'ftp://consumer.example/',
      'https://user:pw@consumer.example/',
      `${WANTED}#x`,
    ]) {
      const { status, body } = await make({ url });
      expect([url, status, body.errors?.map(({ field }) => field)]).toEqual([url, 422, ['url']]);
      expect(JSON.stringify(body)).not.toMatch(/EGRESS|ALLOW_HTTP|127\.0\.0/);
    }
    expect(await own()).toEqual([]);
  });
});

describe('decision about a requested URL', () => {
  it('an approved URL replaces the consumer’s URL, with two entries in the audit log', async () => {
    const { id } = (await make()).body;
    const { status, body } = await decide(id, 'approve', { reason: 'confirmed by phone' });
    expect([status, body]).toMatchObject([
      200,
      { state: 'approved', decidedBy: 'olga of the bank', currentUrl: WANTED, urlBefore: BEFORE },
    ]);
    expect(await urlNow()).toBe(WANTED);
    expect((await audited()).slice(0, 2)).toMatchObject([
      {
        action: 'url-request.approved',
        actor: 'olga of the bank',
        reason: 'confirmed by phone',
        details: { urlRequestId: id, url: WANTED, urlBefore: BEFORE, madeBy: 'treasury' },
      },
      { action: 'consumer.changed', actor: 'olga of the bank', details: { changed: ['url'] } },
    ]);
    const [seen] = await own();
    expect(seen).toMatchObject({ state: 'approved', rejectionReason: null });
    expect(JSON.stringify(seen)).not.toMatch(/olga|phone/);
    expect((await make({ url: BEFORE })).status).toBe(201);
  });

  it('a rejected URL changes nothing, and the consumer’s people see the reason but not who rejected it', async () => {
    const { id } = (await make()).body;
    expect((await decide(id, 'reject')).status).toBe(422);
    expect((await decide(id, 'reject', { reason: 'please call us first' })).body.state).toBe('rejected');
    expect(await urlNow()).toBe(BEFORE);
    const [seen] = await own();
    expect(seen).toMatchObject({ state: 'rejected', rejectionReason: 'please call us first' });
    expect(JSON.stringify(seen)).not.toContain('olga');
    expect((await make()).status).toBe(201);
  });

  it('a withdrawn request can no longer be approved, and an approved one no longer be withdrawn', async () => {
    const first = (await make()).body.id;
    expect(await withdraw(first)).toBe(204);
    expect(await decide(first, 'approve')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('withdrawn') },
    });
    expect(await urlNow()).toBe(BEFORE);
    const second = (await make()).body.id;
    expect((await decide(second, 'approve')).status).toBe(200);
    expect(await withdraw(second)).toBe(409);
    expect((await decide(second, 'reject', { reason: 'late' })).status).toBe(409);
    expect(await own()).toMatchObject([
      { id: second, state: 'approved' },
      { id: first, state: 'withdrawn' },
    ]);
  });

  it('a request is not approved when the consumer’s URL has changed since', async () => {
    const { id } = (await make()).body;
    const meanwhile = 'https://consumer.example/urgent';
    await system.client.call('PATCH', `/v1/consumers/${consumerId}`, { url: meanwhile });
    expect(await decide(id, 'approve')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('has changed since') },
    });
    expect(await urlNow()).toBe(meanwhile);
    expect(await own()).toMatchObject([{ id, state: 'waiting' }]);
    expect((await decide(id, 'reject', { reason: 'changed already' })).status).toBe(200);
  });

  it('of simultaneous decisions about a request exactly one applies', async () => {
    const { id } = (await make()).body;
    const statuses = await Promise.all([
      decide(id, 'approve').then(({ status }) => status),
      decide(id, 'reject', { reason: 'no' }).then(({ status }) => status),
      withdraw(id),
    ]);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    const [{ state } = { state: 'waiting' }] = await own();
    expect(await urlNow()).toBe(state === 'approved' ? WANTED : BEFORE);
  });
});
