import { describe, expect, it } from 'vitest';
import type { ApiKeyCreatedDto, ApiKeyListDto } from '#apps/api/src/access/api-key.dto';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import { VERSION } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import { registration } from '#test/support/registration';

const system = await System.start({ backend: 'redis', workers: 0 });

const register = async (): Promise<string> => {
  const { id } = await system.client.registerConsumer(registration());
  return id;
};
const make = (id: string, body: object) =>
  system.client.call<ApiKeyCreatedDto & { errors: { field: string }[] }>(
    'POST',
    `/v1/consumers/${id}/keys`,
    body,
  );
const list = async (path: string): Promise<ApiKeyListDto> =>
  (await system.client.call<ApiKeyListDto>('GET', path)).body;
const whoIs = (key: string) => new ApiClient(system.api.baseUrl, key).call('GET', '/v1/me');

describe('API key of a consumer', () => {
  it('a consumer’s key is bound to its consumer, shown once, and listed with it', async () => {
    const [id, other] = [await register(), await register()];
    const { status, body } = await make(id, { name: 'acme erp' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'acme erp', roles: ['consumer'], consumerId: id, expiresAt: null });
    expect((await whoIs(body.key)).body).toEqual({
      name: 'acme erp',
      environment: null,
      version: VERSION,
      person: null,
      roles: ['consumer'],
      may: ['consumer'],
      consumerId: id,
      consumerName: 'Acme',
    });
    // lastUsedAt is written a moment after the use of the key.
    const { key, lastUsedAt: _lastUsedAt, ...shown } = body;
    const listed = await list(`/v1/consumers/${id}/keys`);
    expect(listed.apiKeys).toEqual([expect.objectContaining(shown)]);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect((await list(`/v1/consumers/${other}/keys`)).apiKeys).toEqual([]);
    expect((await list('/v1/api-keys?limit=1000')).apiKeys).toContainEqual(expect.objectContaining(shown));
  });

  it('a consumer’s key refuses a reserved name and a past expiry, and accepts a future expiry', async () => {
    const id = await register();
    for (const [body, field] of [
      [{ name: 'admin' }, 'name'],
      [{ name: 'a', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ] as const) {
      const answer = await make(id, body);
      expect([answer.status, answer.body.errors.map((fault) => fault.field)]).toEqual([422, [field]]);
    }
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect((await make(id, { name: 'guest', expiresAt })).body.expiresAt).toBe(expiresAt);
  });

  it('the audit log of a consumer shows which of its keys were revoked, and by whom', async () => {
    const id = await register();
    const [{ body: lost }, { body: second }] = [
      await make(id, { name: 'lost' }),
      await make(id, { name: 'second' }),
    ];
    const { body: operator } = await system.client.call<ApiKeyCreatedDto>('POST', '/v1/api-keys', {
      name: 'an operator',
      roles: ['operator'],
    });
    const revoke = async (path: string): Promise<number> =>
      (await new ApiClient(system.api.baseUrl, operator.key).call('DELETE', path)).status;
    expect(await revoke(`/v1/consumers/${id}/keys/${lost.id}`)).toBe(204);
    await waitUntil(async () => (await whoIs(lost.key)).status === 401, {
      what: 'the key to be refused',
      everyMs: 100,
    });
    expect((await system.client.call('DELETE', `/v1/api-keys/${second.id}`)).status).toBe(204);
    const { body } = await system.client.call<AuditListDto>('GET', `/v1/audit?target=consumer:${id}&limit=2`);
    expect(body.entries).toMatchObject([
      { actor: 'admin', action: 'api-key.revoked', details: { apiKeyId: second.id, name: 'second' } },
      { actor: 'an operator', action: 'api-key.revoked', details: { apiKeyId: lost.id, name: 'lost' } },
    ]);
  });

  it('a consumer’s key is revoked when its consumer is removed, and keys of other consumers still work', async () => {
    const [id, other] = [await register(), await register()];
    const [{ body: leaving }, { body: staying }] = [
      await make(id, { name: 'leaver' }),
      await make(other, { name: 'stays' }),
    ];
    expect((await whoIs(leaving.key)).status).toBe(200);
    await system.client.call('DELETE', `/v1/consumers/${id}`);
    await waitUntil(async () => (await whoIs(leaving.key)).status === 401, {
      what: 'the key to be refused',
      everyMs: 100,
    });
    expect((await whoIs(staying.key)).status).toBe(200);
    const listed = (await list('/v1/api-keys?name=leaver')).apiKeys;
    expect(listed).toMatchObject([{ id: leaving.id, revokedAt: expect.any(String) }]);
    expect((await make(id, { name: 'late' })).status).toBe(404);
  });
});

describe('list of API keys', () => {
  it('the list of API keys is searched by a part of the name, ignoring case', async () => {
    for (const name of ['Hub one', 'hub two', 'a_b']) {
      await system.client.call('POST', '/v1/api-keys', { name, roles: ['viewer'] });
    }
    const names = async (query: string): Promise<string[]> =>
      (await list(`/v1/api-keys?name=${query}`)).apiKeys.map(({ name }) => name);
    expect(await names('HUB')).toEqual(['hub two', 'Hub one']);
    expect(await names('%25')).toEqual([]);
    expect(await names('a_b')).toEqual(['a_b']);
    expect((await system.client.call('GET', '/v1/api-keys?name=')).status).toBe(400);
  });
});
