import { describe, expect, it } from 'vitest';
import type { ApiKeyListDto } from '#apps/api/src/access/api-key.dto';
import type { AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type { PortalKeyListDto } from '#apps/api/src/resources/consumers/keys/portal-key.dto';
import type {
  SignInLinkCreatedDto,
  SignInLinkListDto,
} from '#apps/api/src/resources/consumers/sign-in-links/sign-in-link.dto';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import { registration } from '#test/support/registration';

const PUBLIC_URL = 'https://notifications.bank.example';
const DAY_MS = 86_400_000;

const system = await System.start({ backend: 'redis', workers: 0, env: { PUBLIC_URL: `${PUBLIC_URL}/` } });

async function register(): Promise<string> {
  const { id } = await system.client.registerConsumer(registration());
  return id;
}

const create = (consumerId: string, body: object = { name: 'ann@acme.example' }) =>
  system.client.call<SignInLinkCreatedDto>('POST', `/v1/consumers/${consumerId}/sign-in-links`, body);
const list = async (consumerId: string) =>
  (await system.client.call<SignInLinkListDto>('GET', `/v1/consumers/${consumerId}/sign-in-links`)).body
    .signInLinks;
const revoke = async (consumerId: string, linkId: string): Promise<number> =>
  (await system.client.call('DELETE', `/v1/consumers/${consumerId}/sign-in-links/${linkId}`)).status;

async function newLink(): Promise<{ consumerId: string; linkId: string; token: string }> {
  const consumerId = await register();
  const { id, url } = (await create(consumerId)).body;
  return { consumerId, linkId: id, token: tokenIn(url) };
}
const tokenIn = (url: string): string => new URL(url, PUBLIC_URL).hash.replace('#link=', '');

const use = (
  token: string,
  headers: Record<string, string> = { origin: system.api.baseUrl },
): Promise<Response> =>
  fetch(`${system.api.baseUrl}/v1/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
const cookieOf = (answer: Response): string =>
  (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
const visit = (cookie: string, path = '/v1/portal'): Promise<Response> =>
  fetch(`${system.api.baseUrl}${path}`, { headers: { cookie } });

describe('creation of a sign-in link', () => {
  it('a sign-in link begins with PUBLIC_URL, has its token after #, and expires after a day', async () => {
    const consumerId = await register();
    const { status, body } = await create(consumerId);
    expect([status, body]).toMatchObject([
      201,
      { name: 'ann@acme.example', state: 'unused', createdBy: 'admin', usedAt: null, revokedAt: null },
    ]);
    expect(body.url).toMatch(/^https:\/\/notifications\.bank\.example\/sign-in#link=pnl_[\w-]{43}$/);
    const lifetime = Date.parse(body.expiresAt) - Date.parse(body.createdAt);
    expect(Math.abs(lifetime - DAY_MS)).toBeLessThan(60_000);
    const listed = await list(consumerId);
    const { url, ...shown } = body;
    expect(listed).toEqual([shown]);
    const stored = await runSql(
      system.databaseUrl,
      'select l::text, a::text from sign_in_links l, audit_log a',
    );
    expect(JSON.stringify(stored)).not.toContain(tokenIn(url));
  });

  it('a sign-in link is refused beyond seven days and in the past', async () => {
    const consumerId = await register();
    const after = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
    expect((await create(consumerId, { name: 'ann', expiresAt: after(6.9) })).status).toBe(201);
    expect((await create(consumerId, { name: 'ann', expiresAt: after(7.1) })).status).toBe(422);
    expect((await create(consumerId, { name: 'ann', expiresAt: after(-1) })).status).toBe(422);
  });
});

describe('use of a sign-in link', () => {
  it('a sign-in link begins a session of its consumer, once', async () => {
    const { consumerId, linkId, token } = await newLink();
    const first = await use(token);
    expect([first.status, await first.json()]).toMatchObject([
      200,
      { name: 'ann@acme.example', roles: ['consumer'], consumerId, consumerName: 'Acme' },
    ]);
    expect(first.headers.get('set-cookie')).toMatch(/Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await visit(cookieOf(first))).status).toBe(200);
    expect((await visit(cookieOf(first), '/v1/consumers')).status).toBe(403);
    const second = await use(token);
    expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await list(consumerId)).toMatchObject([{ id: linkId, state: 'used', usedAt: expect.any(String) }]);
    for (const path of [`/v1/consumers/${consumerId}/keys`, '/v1/api-keys?name=ann@acme.example'])
      expect((await system.client.call<ApiKeyListDto>('GET', path)).body.apiKeys).toEqual([]);
    const own = await visit(cookieOf(first), '/v1/portal/keys');
    const { keys }: PortalKeyListDto = JSON.parse(await own.text());
    expect(keys).toMatchObject([{ name: 'ann@acme.example', isSession: true }]);
    const [{ createdAt, expiresAt } = { createdAt: '', expiresAt: '' }] = keys;
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(DAY_MS / 2);
    const audited = await system.client.call<AuditListDto>('GET', `/v1/audit?target=consumer:${consumerId}`);
    expect(audited.body.entries).toMatchObject([
      { action: 'sign-in-link.used', actor: 'ann@acme.example', role: 'consumer' },
      { action: 'sign-in-link.created', actor: 'admin' },
      { action: 'consumer.registered' },
    ]);
  });

  it('of simultaneous uses of a sign-in link exactly one begins a session', async () => {
    const { consumerId, token } = await newLink();
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await use(token)).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401, 401]);
    const [sessions] = await runSql<{ count: number }>(
      system.databaseUrl,
      'select count(*)::int from api_keys where consumer_id = $1',
      [consumerId],
    );
    expect(sessions).toEqual({ count: 1 });
  });

  it('an expired sign-in link begins no session', async () => {
    const { consumerId, linkId, token } = await newLink();
    await runSql(
      system.databaseUrl,
      `update sign_in_links set expires_at = now() - interval '1 s' where id = $1`,
      [linkId],
    );
    expect((await use(token)).status).toBe(401);
    expect(await list(consumerId)).toMatchObject([{ state: 'expired', usedAt: null }]);
  });

  it('a sign-in link of a removed consumer begins no session', async () => {
    const { consumerId, token } = await newLink();
    await system.client.call('DELETE', `/v1/consumers/${consumerId}`);
    expect((await use(token)).status).toBe(401);
  });

  it('a use from another site or over plain http is refused, and leaves the link unused', async () => {
    const { token } = await newLink();
    expect((await use(token, { origin: 'https://elsewhere.example' })).status).toBe(403);
    const plain = { origin: 'http://10.0.0.7', 'sec-fetch-site': 'none' };
    expect((await use(token, plain)).status).toBe(403);
    expect((await use(token)).status).toBe(200);
  });

  it('unknown links answer 429 after too many from one address, which can still use a valid one', async () => {
    const from = { origin: system.api.baseUrl, 'x-forwarded-for': '203.0.113.9' };
    const statuses = new Set<number>();
    for (let count = 0; count < 22; count += 1) statuses.add((await use('pnl_unknown', from)).status);
    expect([...statuses]).toEqual([401, 429]);
    const { token } = await newLink();
    expect((await use(token, from)).status).toBe(200);
  });
});

describe('sign-in with a consumer’s key', () => {
  it('a key of a consumer begins a session of its portal, and its changes come from the console’s pages only', async () => {
    const consumerId = await register();
    const { key } = (
      await system.client.call<{ key: string }>('POST', `/v1/consumers/${consumerId}/keys`, { name: 'erp' })
    ).body;
    const answer = await fetch(`${system.api.baseUrl}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: system.api.baseUrl },
      body: JSON.stringify({ apiKey: key }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { consumerId, consumerName: 'Acme' }]);
    const cookie = cookieOf(answer);
    expect((await visit(cookie)).status).toBe(200);
    const make = (origin: string): Promise<Response> =>
      fetch(`${system.api.baseUrl}/v1/portal/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, origin },
        body: JSON.stringify({ name: 'another' }),
      });
    expect((await make('https://elsewhere.example')).status).toBe(403);
    expect((await make(system.api.baseUrl)).status).toBe(201);
  });
});

describe('revocation of a sign-in link', () => {
  it('a link that is revoked before its use begins no session', async () => {
    const { consumerId, linkId, token } = await newLink();
    expect(await revoke(consumerId, linkId)).toBe(204);
    expect((await use(token)).status).toBe(401);
    expect(await list(consumerId)).toMatchObject([{ state: 'revoked', usedAt: null }]);
  });

  it('a link that is revoked after its use ends its session', async () => {
    const { consumerId, linkId, token } = await newLink();
    const cookie = cookieOf(await use(token));
    expect((await visit(cookie)).status).toBe(200);
    expect(await revoke(consumerId, linkId)).toBe(204);
    await waitUntil(async () => (await visit(cookie)).status === 401, {
      what: 'the session to end',
      everyMs: 100,
    });
    expect(await list(consumerId)).toMatchObject([{ state: 'revoked', usedAt: expect.any(String) }]);
    const audited = await system.client.call<AuditListDto>(
      'GET',
      `/v1/audit?target=consumer:${consumerId}&limit=1`,
    );
    expect(audited.body.entries).toMatchObject([{ action: 'sign-in-link.revoked', actor: 'admin' }]);
  });
});
