import { describe, expect, it } from 'vitest';
import { VERSION, type Role } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const system = await System.shared(0);

async function keyOf(
  name: string,
  roles: readonly Role[],
  expiresAt?: string,
): Promise<{ id: string; key: string }> {
  const answer = await system.client.call<{ id: string; key: string }>('POST', '/v1/api-keys', {
    name,
    roles,
    expiresAt,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}
const clientOf = (key: string): ApiClient => new ApiClient(system.api.baseUrl, key);

describe('API key', () => {
  it('an API key is shown once, and identifies its holder', async () => {
    const { id, key } = await keyOf('hub', ['producer', 'viewer']);
    const me = await clientOf(key).call('GET', '/v1/me');
    expect(me.body).toEqual({
      name: 'hub',
      person: null,
      roles: ['producer', 'viewer'],
      may: ['producer', 'viewer'],
      consumerId: null,
      consumerName: null,
      environment: null,
      version: VERSION,
    });
    const list = await system.client.call<{ apiKeys: object[] }>('GET', '/v1/api-keys?limit=1000');
    expect(list.body.apiKeys).toContainEqual(expect.objectContaining({ id, name: 'hub' }));
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('an API key is refused within seconds of its revocation, and as soon as it expires', async () => {
    const revoked = await keyOf('leaver', ['viewer']);
    const expiring = await keyOf('guest', ['viewer'], new Date(Date.now() + 4_000).toISOString());
    expect((await clientOf(revoked.key).call('GET', '/v1/me')).status).toBe(200);
    expect((await clientOf(expiring.key).call('GET', '/v1/me')).status).toBe(200);
    await fetch(`${system.api.baseUrl}/v1/api-keys/${revoked.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${system.adminKey}` },
    });
    for (const { key } of [revoked, expiring]) {
      await waitUntil(async () => (await clientOf(key).call('GET', '/v1/me')).status === 401, {
        what: 'the key to be refused',
        everyMs: 100,
      });
    }
  });

  it('POST /v1/api-keys refuses the role consumer', async () => {
    const body = { name: 'x', roles: ['consumer'] };
    expect((await system.client.call('POST', '/v1/api-keys', body)).status).toBe(422);
  });
});

describe('name of the first key', () => {
  it('the first key’s name is refused for other keys, so that the audit log can distinguish them', async () => {
    const named = (name: string) =>
      system.client.call<{ errors: object[] }>('POST', '/v1/api-keys', { name, roles: ['viewer'] });
    const { status, body } = await named('admin');
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      {
        field: 'name',
        message: expect.stringContaining('must not be one of "admin", "dispatcher", "system"'),
      },
    ]);
    expect((await named('openid:anna')).status).toBe(422);
    expect((await named('administrator')).status).toBe(201);
    expect((await named('the admin')).status).toBe(201);
  });
});
