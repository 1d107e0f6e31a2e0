import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlertsChosenDto, AlertsTestedDto } from '#apps/api/src/resources/alerts/alerts.dto';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type { ApiClient } from '#test/support/api-client';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { System } from '#test/support/system';
import { verifyNotification } from '#verifiers/typescript/verify-notification';

let system: System;
let receiver: ConsumerServer;
let consumerId: string;
let company: string;
let portal: ApiClient;
beforeAll(async () => {
  [system, receiver] = await Promise.all([System.shared(0), startConsumer()]);
  ({ consumerId, company } = await Customer.onboard(system.client));
  portal = await portalClient(system, consumerId);
});
afterAll(() => Promise.all([receiver.close(), system.stop()]));

describe('alerts for the own people', () => {
  const choose = (body: object) => portal.call<AlertsChosenDto>('PUT', '/v1/portal/alerts', body);
  const test = () => portal.call<AlertsTestedDto>('POST', '/v1/portal/alerts/test');
  const NONE = { kinds: [], recipients: [], host: null, mail: null, webhook: null };

  it('nobody gets alerts until they are chosen, and a webhook’s secret and URL are shown once and never', async () => {
    expect((await portal.call('GET', '/v1/portal/alerts')).body).toEqual(NONE);
    const { status, body } = await choose({
      kinds: ['endpoint_down', 'replay_done'],
      recipients: [],
      url: 'https://hooks.acme.example/secret-path',
    });
    expect([status, body.signingSecret]).toEqual([200, expect.stringMatching(/^.{32,}$/)]);
    const chosen = {
      ...NONE,
      kinds: ['endpoint_down', 'replay_done'],
      host: 'hooks.acme.example',
      webhook: { lastSentAt: null, fault: null },
    };
    expect((await portal.call('GET', '/v1/portal/alerts')).body).toEqual(chosen);
    const kept = await choose({ kinds: ['replay_done'], recipients: [] });
    expect(kept.body).toEqual({ ...chosen, kinds: ['replay_done'] });
    const { body: audit } = await system.client.call<AuditListDto>(
      'GET',
      `/v1/audit?action=alerts.changed&target=consumer:${consumerId}`,
    );
    expect(audit.entries).toHaveLength(2);
    expect(JSON.stringify(audit)).not.toMatch(/secret-path/);
    const { body: channels } = await system.client.call('GET', '/v1/channels');
    expect(JSON.stringify(channels)).not.toContain('hooks.acme.example');
    expect((await choose({ kinds: [], recipients: [], url: null })).body).toEqual(NONE);
  });

  it('a test message is sent by the saved webhook, with the result; at most 10 in an hour', async () => {
    expect((await test()).status).toBe(409);
    const { body } = await choose({ kinds: [], recipients: [], url: receiver.url });
    receiver.behave(({ order }) => (order === 0 ? { status: 500 } : {}));
    const refused = await test();
    expect([refused.status, refused.body]).toEqual([
      200,
      { mail: null, webhook: { isSent: false, fault: 'HTTP 500' } },
    ]);
    expect((await test()).body.webhook).toEqual({ isSent: true, fault: null });
    const { body: sent = '', headers = {}, receivedAt = new Date(0) } = receiver.requests.at(-1) ?? {};
    expect(JSON.parse(sent)).toMatchObject({
      alertId: expect.stringMatching(/^TEST-/),
      kind: 'test',
      event: 'test',
      subject: `${company}: a test message`,
    });
    const { signingSecret: secret = '' } = body;
    const request = { method: 'POST', url: receiver.url, rawBody: Buffer.from(sent), headers };
    const nowMs = receivedAt.getTime();
    expect(verifyNotification(request, { secret, nowMs, toleranceSeconds: 60 })).toBe('ok');
    const { body: audit } = await system.client.call<AuditListDto>(
      'GET',
      `/v1/audit?action=alerts.tested&target=consumer:${consumerId}`,
    );
    expect(audit.entries).toHaveLength(2);
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) statuses.push((await test()).status);
    expect(statuses).toEqual([...Array.from({ length: 7 }, () => 200), 429]);
    await choose({ kinds: [], recipients: [], url: null });
  });

  it.each([
    ['kinds', { kinds: ['replay_done'], recipients: [] }],
    ['kinds[0]', { kinds: ['everything'], recipients: [] }],
    ['url', { kinds: [], recipients: [], url: 'ftp://acme.example' }],
    ['recipients', { kinds: [], recipients: ['ann@acme.example'] }],
    [
      'recipients',
      { kinds: [], recipients: Array.from({ length: 6 }, (_, at) => `${String(at)}@acme.example`) },
    ],
  ])('a choice whose %s cannot be used is refused: %j', async (field, body) => {
    const answer = await portal.call<{ errors: { field: string }[] }>('PUT', '/v1/portal/alerts', body);
    expect([answer.status, answer.body.errors.map((error) => error.field)]).toEqual([422, [field]]);
  });
});
