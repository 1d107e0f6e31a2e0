import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import type { ChannelCreatedDto } from '#apps/api/src/resources/channels/channel.dto';
import type { IssueListDto } from '#apps/api/src/resources/issues/issue.dto';
import type { PortalProfileDto } from '#apps/api/src/resources/consumers/profile/profile.dto';
import type {
  PortalKeyCreatedDto,
  PortalKeyListDto,
} from '#apps/api/src/resources/consumers/keys/portal-key.dto';
import { afterAll, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client';
import { startConsumer } from '#test/support/consumer-server';
import { Customer } from '#test/support/customer';
import { portalClient } from '#test/support/portal-client';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const KEYS = 19;
const ROUNDS = 3;
const inThreeDays = (): string => new Date(Date.now() + 3 * 86_400_000).toISOString();

const pager = await startConsumer();
const system = await System.start({ backend: 'redis' });
afterAll(async () => {
  await system.stop();
  await pager.close();
});

const list = async (query: string): Promise<IssueListDto['issues']> =>
  (await system.client.call<IssueListDto>('GET', `/v1/issues?limit=1000&${query}`)).body.issues;
const use = (key: string) => new ApiClient(system.api.baseUrl, key).call('GET', '/v1/me');

/** Waits for an evaluation that has seen everything so far, since it opens the issue of a key of the bank, and for its messages. */
async function evaluated(round: number): Promise<void> {
  const name = `marker ${String(round)}`;
  const { body } = await system.client.call<ApiKeyCreatedDto>('POST', '/v1/api-keys', {
    name,
    roles: ['viewer'],
    expiresAt: inThreeDays(),
  });
  await use(body.key);
  await waitUntil(
    async () => {
      await runSql(system.databaseUrl, `update schedules set next_at = now() where name = 'health_issues'`);
      return (await list('kind=api_key_expiring')).some(({ summary }) => summary.includes(name));
    },
    { what: 'an evaluation of the issues', everyMs: 200 },
  );
  await waitUntil(
    async () =>
      (await runSql(system.databaseUrl, `select from channel_messages where state = 'pending'`)).length === 0,
    { what: 'every message to be sent' },
  );
}

it('keys that a consumer makes, uses and revokes open no issue, and send no message to the bank’s channels', async () => {
  const customer = await Customer.onboard(system.client);
  const portal = await portalClient(system, customer.consumerId);
  await system.client.call<ChannelCreatedDto>('POST', '/v1/channels', {
    name: 'Pager',
    kind: 'pagerduty',
    routingKey: '0123456789abcdef0123456789abcdef',
    url: pager.url,
    severities: ['page', 'ticket', 'info'],
    consumerIds: [customer.consumerId],
  });
  const make = (name: string) =>
    portal.call<PortalKeyCreatedDto & { errors: object[] }>('POST', '/v1/portal/keys', {
      name,
      expiresAt: inThreeDays(),
    });
  expect(await make('https://evil.example/login/1')).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'name', message: expect.stringContaining('letters, digits, spaces') }] },
  });

  for (let round = 0; round < ROUNDS; round++) {
    const made = await Promise.all(
      Array.from({ length: KEYS }, async (_, index) => (await make(`login ${String(index)}`)).body),
    );
    for (const { key } of made) await use(key);
    const ids = new Set(made.map(({ id }) => id));
    await waitUntil(
      async () => {
        const { body } = await portal.call<PortalKeyListDto>('GET', '/v1/portal/keys?limit=1000');
        return body.keys.filter(({ id, lastUsedAt }) => ids.has(id) && lastUsedAt !== null).length === KEYS;
      },
      { what: 'the use of every key to be noted' },
    );
    await evaluated(2 * round);
    const { expiringKeys } = (await portal.call<PortalProfileDto>('GET', '/v1/portal')).body;
    expect(expiringKeys.map(({ name }) => name)).toEqual(made.map(({ name }) => name));
    for (const { id } of made) await portal.call('DELETE', `/v1/portal/keys/${id}`);
    await evaluated(2 * round + 1);
  }
  expect({
    issues: (await list(`consumerId=${customer.consumerId}`)).length,
    messages: pager.requests.length,
  }).toEqual({
    issues: 0,
    messages: 0,
  });
});
