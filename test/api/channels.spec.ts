import type {
  ChannelCreatedDto,
  ChannelDto,
  ChannelTestedDto,
} from '#apps/api/src/resources/channels/channel.dto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyNotification } from '#verifiers/typescript/verify-notification';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { System } from '#test/support/system';

const ROUTING_KEY = '0123456789abcdef0123456789abcdef';

let system: System;
let receiver: ConsumerServer;
beforeAll(async () => {
  [system, receiver] = await Promise.all([System.shared(0), startConsumer()]);
});
afterAll(() => Promise.all([receiver.close(), system.stop()]));

interface Problem {
  readonly detail: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}
const create = (body: object) =>
  system.client.call<ChannelCreatedDto & Problem>('POST', '/v1/channels', body);
const faultsOf = async (body: object): Promise<string[]> => {
  const answer = await create(body);
  expect(answer.status).toBe(422);
  return (answer.body.errors ?? []).map(({ field, message }) => `${field} ${message}`);
};

describe('channels', () => {
  it('a channel is created, read, listed, changed and removed, and its URL is never shown', async () => {
    const url = 'https://hooks.slack.example/services/T0/B0/secretpart';
    const created = await create({ name: 'On call', kind: 'slack', url, issueKinds: ['down'] });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'On call',
        kind: 'slack',
        host: 'hooks.slack.example',
        issueKinds: ['down'],
        severities: ['page', 'ticket', 'info'],
        consumerIds: null,
        hours: null,
        enabled: true,
        pending: 0,
        lastError: null,
      },
    });
    const path = `/v1/channels/${created.body.id}`;
    const hours = { timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
    const changed = await system.client.call<ChannelDto>('PATCH', path, {
      name: 'Nights',
      hours,
      issueKinds: null,
      severities: ['page'],
      enabled: false,
    });
    expect(changed.body).toMatchObject({
      name: 'Nights',
      hours,
      issueKinds: null,
      severities: ['page'],
      enabled: false,
    });
    const [read, list, audit] = await Promise.all(
      [path, '/v1/channels', `/v1/audit?target=channel:${created.body.id}`].map((of) =>
        system.client.call<{ channels?: { id: string }[] }>('GET', of),
      ),
    );
    expect(read?.body).toEqual(changed.body);
    expect(list?.body.channels).toContainEqual(changed.body);
    expect(audit?.body).toMatchObject({
      entries: [
        {
          action: 'channel.changed',
          details: { changed: ['name', 'hours', 'issueKinds', 'severities', 'enabled'] },
        },
        { action: 'channel.created', details: { name: 'On call', kind: 'slack' } },
      ],
    });
    expect(JSON.stringify([created, changed, read, list, audit])).not.toContain('secretpart');

    expect((await system.client.call('DELETE', path)).status).toBe(204);
    expect((await system.client.call('GET', path)).status).toBe(404);
    expect((await system.client.call('DELETE', path)).status).toBe(404);
  });

  it('a webhook’s signing secret is shown once, and its test message has a signature with this secret', async () => {
    const { body } = await create({ name: 'SOC', kind: 'webhook', url: receiver.url });
    const { id, signingSecret = '' } = body;
    expect(signingSecret).not.toBe('');
    const read = await system.client.call('GET', `/v1/channels/${id}`);
    expect(JSON.stringify(read)).not.toContain(signingSecret);
    const tested = await system.client.call<ChannelTestedDto>('POST', `/v1/channels/${id}/test`);
    expect(tested).toMatchObject({ status: 200, body: { isSent: true, fault: null } });
    const request = receiver.requests.at(-1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      messages: [
        {
          event: 'opened',
          issueId: expect.stringMatching(/^TEST-/),
          summary: expect.stringContaining('test'),
        },
      ],
    });
    expect(
      verifyNotification(
        {
          method: 'POST',
          url: receiver.url,
          rawBody: Buffer.from(request?.body ?? ''),
          headers: request?.headers ?? {},
        },
        { secret: signingSecret, nowMs: request?.receivedAt.getTime() ?? 0, toleranceSeconds: 60 },
      ),
    ).toBe('ok');
  });

  it('a test message that the receiver refuses is reported with its status, and a change keeps the other secrets', async () => {
    const created = await create({
      name: 'Pager',
      kind: 'pagerduty',
      routingKey: ROUTING_KEY,
      url: receiver.url,
    });
    // It wakes a person, so it announces only pages unless it was given other severities.
    expect(created.body.severities).toEqual(['page']);
    const path = `/v1/channels/${created.body.id}`;
    receiver.behave(() => ({ status: 403 }));
    const refused = await system.client.call<ChannelTestedDto>('POST', `${path}/test`);
    expect(refused.body).toEqual({ isSent: false, fault: 'HTTP 403' });
    receiver.behave(() => ({ status: 202 }));
    await system.client.call('PATCH', path, { routingKey: ROUTING_KEY.toUpperCase() });
    expect((await system.client.call<ChannelTestedDto>('POST', `${path}/test`)).body.isSent).toBe(true);
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? '')).toMatchObject({
      routing_key: ROUTING_KEY.toUpperCase(),
      event_action: 'trigger',
    });
    receiver.behave(() => ({}));
  });

  it('a wrong channel is refused with the field and the rule of each fault', async () => {
    expect(await faultsOf({ name: 'x', kind: 'slack' })).toEqual([
      'url is required for a channel of the kind slack',
    ]);
    expect(await faultsOf({ name: 'x', kind: 'pagerduty', recipients: ['a@b.example'] })).toEqual([
      'routingKey is required for a channel of the kind pagerduty',
      'recipients is not a field of a channel of the kind pagerduty',
    ]);
    expect(await faultsOf({ name: 'x', kind: 'email', recipients: ['a@b.example'] })).toEqual([
      'kind cannot be email: set SMTP_URL and MAIL_FROM on every process first',
    ]);
    expect(await faultsOf({ name: '', kind: 'fax', routingKey: 'short' })).toEqual([
      expect.stringContaining('name '),
      'kind must be one of webhook, slack, teams, pagerduty, email',
      expect.stringContaining('routingKey must be the 32 letters and digits'),
    ]);
    const hours = { timeZone: 'Mars/Olympus', days: [8], from: '8:00', to: '25:00' };
    expect(
      await faultsOf({
        name: 'x',
        kind: 'slack',
        url: 'https://a.example/',
        hours,
        consumerIds: ['x'],
        issueKinds: ['tired'],
        severities: ['loud'],
      }),
    ).toEqual([
      expect.stringContaining('issueKinds'),
      'severities[0] must be one of page, ticket, info',
      expect.stringContaining('consumerIds'),
      expect.stringContaining('hours.timeZone'),
      expect.stringContaining('hours.days'),
      expect.stringContaining('hours.from'),
      expect.stringContaining('hours.to'),
    ]);
    expect(await faultsOf({ name: 'x', kind: 'slack', url: 'https://user:pw@a.example/' })).toEqual([
      expect.stringContaining('url '),
    ]);
  });

  it('a contact gets mails only if it has an address, and a mail server is configured', async () => {
    const { id } = await system.client.registerConsumer({
      name: 'Acme',
      url: receiver.url,
      eventTypes: ['ach.status'],
      contact: '+49 30 123456',
      credentials: { username: 'bank', password: 'secret' },
    });
    const answer = await system.client.call<Problem>('PATCH', `/v1/consumers/${id}`, { notifyContact: true });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        errors: [
          { field: 'contact', message: 'must have a mail address while notifyContact is true' },
          {
            field: 'notifyContact',
            message: 'cannot be true: set SMTP_URL and MAIL_FROM on every process first',
          },
        ],
      },
    });
    expect((await system.client.call('GET', `/v1/consumers/${id}`)).body).toMatchObject({
      notifyContact: false,
    });
  });
});
