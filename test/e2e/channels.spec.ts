import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import type { AlertsChosenDto, AlertsTestedDto } from '#apps/api/src/resources/alerts/alerts.dto';
import type { ChannelCreatedDto } from '#apps/api/src/resources/channels/channel.dto';
import type { IssueDetailDto, IssueListDto } from '#apps/api/src/resources/issues/issue.dto';
import { verifyNotification } from '#verifiers/typescript/verify-notification';
import { ApiClient } from '#test/support/api-client';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { Customer } from '#test/support/customer';
import { MailServer } from '#test/support/mail-server';
import { portalClient } from '#test/support/portal-client';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const PUBLIC_URL = 'https://dispatcher.bank.example';
const ROUTING_KEY = '0123456789abcdef0123456789abcdef';

let system: System;
let mail: MailServer;
const receivers = new Map<string, ConsumerServer>();
const receiver = (name: string): ConsumerServer => {
  const found = receivers.get(name);
  if (found === undefined) throw new Error(`There is no receiver ${name}`);
  return found;
};
beforeAll(async () => {
  mail = await MailServer.start();
  for (const name of ['webhook', 'slack', 'teams', 'pagerduty', 'hanging', 'alerts'])
    receivers.set(name, await startConsumer());
  system = await System.start({
    backend: 'redis',
    env: { PUBLIC_URL, SMTP_URL: mail.url, MAIL_FROM: 'dispatcher@bank.example' },
  });
});
afterAll(async () => {
  await system.stop();
  await Promise.all([mail.stop(), ...[...receivers.values()].map((of) => of.close())]);
});

async function addChannel(body: object): Promise<ChannelCreatedDto> {
  const answer = await system.client.call<ChannelCreatedDto>('POST', '/v1/channels', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Waits for a condition with evaluations of issues and without the waits of failed messages. */
const soon = <T>(what: string, condition: () => Promise<T | undefined | false> | T | undefined | false) =>
  waitUntil(
    async () => {
      await runSql(
        system.databaseUrl,
        `update schedules set next_at = now() where name in ('health_issues', 'consumer_alerts');
         update consumer_alerts set next_at = now(), sent_at = sent_at - interval '11 minutes';
         update channel_messages set next_at = now() where state = 'pending'`,
      );
      return condition();
    },
    { what, everyMs: 200 },
  );

const eventsAt = (name: string): string[] => receiver(name).requests.map(({ body }) => body);
const mailsTo = (address: string): string[] =>
  mail.mails
    .filter(({ recipients }) => recipients.includes(address))
    .map(({ subject, text }) => `${subject}\n${text}`);

/** What the verifier says of the first message that a receiver got. */
function verdictOn(name: string, secret = ''): string {
  const { url, requests } = receiver(name);
  const [first] = requests;
  if (first === undefined) throw new Error(`${name} has received nothing`);
  return verifyNotification(
    { method: 'POST', url, rawBody: Buffer.from(first.body), headers: first.headers },
    { secret, nowMs: first.receivedAt.getTime(), toleranceSeconds: 60 },
  );
}

it('an issue of a failing consumer reaches every kind of channel and its contact, then its end; a channel that hangs delays nobody', async () => {
  const { client } = system;
  receiver('hanging').behave(() => 'hang');
  receiver('slack').behave(({ order }) => (order === 0 ? { status: 500 } : {}));
  mail.refusal = 'try again later';
  const signed = await addChannel({ name: 'SOC', kind: 'webhook', url: receiver('webhook').url });
  await addChannel({ name: 'Chat', kind: 'slack', url: receiver('slack').url });
  await addChannel({ name: 'Team', kind: 'teams', url: receiver('teams').url });
  await addChannel({
    name: 'Pager',
    kind: 'pagerduty',
    routingKey: ROUTING_KEY,
    url: receiver('pagerduty').url,
  });
  await addChannel({ name: 'Mail', kind: 'email', recipients: ['oncall@bank.example'] });
  const hanging = await addChannel({ name: 'Hanging', kind: 'slack', url: receiver('hanging').url });

  const failing = await Customer.onboard(client, {
    behaviour: () => ({ status: 500 }),
    contact: 'Jane Doe <jane@customer.example>, +49 30 123456',
    notifyContact: true,
    retrySchedule: Array.from({ length: 20 }, () => 1),
  });
  const people = await portalClient(system, failing.consumerId);
  const alerts = await people.call<AlertsChosenDto>('PUT', '/v1/portal/alerts', {
    kinds: ['endpoint_down'],
    recipients: ['ops@customer.example'],
    url: receiver('alerts').url,
  });
  expect(alerts.status).toBe(200);
  mail.refusal = null;
  const tested = await people.call<AlertsTestedDto>('POST', '/v1/portal/alerts/test');
  const accepted = { isSent: true, fault: null };
  expect(tested.body).toEqual({ mail: accepted, webhook: accepted });
  expect(mailsTo('ops@customer.example')).toEqual([
    expect.stringContaining(`${failing.company}: a test message`),
  ]);
  mail.refusal = 'try again later';
  await client.acceptAll(Array.from({ length: 12 }, (_, index) => achChange(failing.company, `f${index}`)));
  await soon('the consumer to be down', async () => {
    await runSql(
      system.databaseUrl,
      `update consumer_runtime set first_failure_at = least(first_failure_at, now() - interval '3 minutes'),
         failed_probes = case when circuit_opened_at is null then 0 else greatest(failed_probes, 3) end
       where consumer_id = $1 and first_failure_at is not null`,
      [failing.consumerId],
    );
    return receiver('webhook').requests.find(({ body }) => body.includes('"kind":"down"'));
  });
  const other = await Customer.onboard(client);
  await other.waitForAcknowledged(
    await client.acceptAll(Array.from({ length: 20 }, (_, index) => achChange(other.company, `p${index}`))),
  );

  mail.refusal = null;
  const { body: list } = await client.call<IssueListDto>('GET', '/v1/issues?kind=down');
  const [issue] = list.issues;
  const link = `${PUBLIC_URL}/issues/${issue?.id ?? ''}`;
  await soon('the opening in every channel', () => {
    const texts = ['slack', 'teams', 'pagerduty'].map((name) => eventsAt(name).join('\n'));
    const mails = mailsTo('oncall@bank.example').join('\n');
    return [...texts, mails].every((text) => text.includes(link)) && mailsTo('jane@customer.example')[0];
  });
  expect(mailsTo('jane@customer.example')[0]).toContain(
    `${failing.company}: your server does not accept payment notifications`,
  );

  expect(verdictOn('webhook', signed.signingSecret)).toBe('ok');
  await soon('the alert of the consumer’s own people', () => eventsAt('alerts')[1]);
  await soon('the alert by mail', () => mailsTo('ops@customer.example')[1]);
  expect(verdictOn('alerts', alerts.body.signingSecret)).toBe('ok');
  expect(JSON.parse(eventsAt('alerts')[1] ?? '')).toMatchObject({ event: 'down', earlier: 0 });

  failing.behave(() => ({}));
  await client.resumeConsumer(failing.consumerId);
  await soon('the end in every channel', async () => {
    await runSql(
      system.databaseUrl,
      `update consumer_runtime set next_probe_at = now() where circuit_opened_at is not null;
       update health_issues set last_seen_at = now() - interval '10 minutes'`,
    );
    const isEnded = [
      eventsAt('webhook').some((body) => body.includes('"event":"resolved","issueId":"' + (issue?.id ?? ''))),
      eventsAt('pagerduty').some((body) => body.includes('"resolve"') && body.includes(issue?.id ?? '')),
      mailsTo('oncall@bank.example').some((text) => text.includes('Resolved: ')),
      mailsTo('jane@customer.example').some((text) => text.includes('receives payment notifications again')),
      mailsTo('ops@customer.example').some((text) => text.includes('accepts payment notifications again')),
      eventsAt('alerts').some((body) => body.includes('"event":"recovered"')),
    ];
    return isEnded.every(Boolean);
  });

  const { body: detail } = await client.call<IssueDetailDto>('GET', `/v1/issues/${issue?.id ?? ''}`);
  expect(
    detail.messages
      .filter(({ event }) => event === 'opened')
      .map(({ channelName, state }) => [channelName, state]),
  ).toEqual(
    expect.arrayContaining([
      ['SOC', 'sent'],
      ['Chat', 'sent'],
      ['Team', 'sent'],
      ['Pager', 'sent'],
      ['Mail', 'sent'],
      [null, 'sent'],
    ]),
  );
  const { body: stuck } = await client.call<ChannelCreatedDto>('GET', `/v1/channels/${hanging.id}`);
  expect(stuck).toMatchObject({ lastSentAt: null, lastError: expect.stringContaining('timeout') });

  // No message has an account number, a company id of a payment, or a secret.
  const sent = [...receivers.keys()]
    .flatMap(eventsAt)
    .concat(mail.mails.map(({ subject, text }) => subject + text))
    .join('\n');
  const { debtor, creditor } = achChange(failing.company, 'payment').data.achEventInfo;
  for (const { account } of [debtor, creditor]) expect(sent).not.toContain(account.accountId);
  expect(sent).not.toContain(signed.signingSecret ?? '-');
});

it('a channel announces ten minor issues one by one, and the others in one summary that is sent again after a failure', async () => {
  const { client, databaseUrl } = system;
  const limited = await startConsumer();
  receivers.set('limited', limited);
  const { id } = await addChannel({
    name: 'Limited',
    kind: 'pagerduty',
    routingKey: ROUTING_KEY,
    url: limited.url,
    severities: ['info'],
    issueKinds: ['api_key_expiring'],
  });
  for (let index = 0; index < 13; index += 1) {
    const { body } = await client.call<ApiKeyCreatedDto>('POST', '/v1/api-keys', {
      name: `key ${String(index)}`,
      roles: ['viewer'],
      expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    });
    await new ApiClient(system.api.baseUrl, body.key).call('GET', '/v1/me');
  }
  const inState = async (state: string): Promise<number> =>
    (
      await runSql(databaseUrl, 'select from channel_messages where channel_id = $1 and state = $2', [
        id,
        state,
      ])
    ).length;
  await soon('three issues above the limit to be counted', async () => (await inState('counted')) === 3);
  await soon('the ten others to be announced', async () => (await inState('sent')) === 10);
  const isSummary = (body: string): boolean => body.includes('And 3 more issues: an API key expires (3)');
  expect(eventsAt('limited')).toHaveLength(10);
  expect(eventsAt('limited').filter(isSummary)).toEqual([]);

  limited.behave(({ order }) => (order === 10 ? { status: 500 } : {}));
  const summaryIsDue = () =>
    runSql(databaseUrl, `update channel_messages set next_at = now() where state = 'counted'`);
  await soon('the summary to be sent again', async () => {
    await summaryIsDue();
    return (await inState('summarised')) === 3;
  });
  expect(eventsAt('limited').slice(10).map(isSummary)).toEqual([true, true]);
});
