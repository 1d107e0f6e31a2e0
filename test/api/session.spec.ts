import { describe, expect, it } from 'vitest';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const system = await System.shared(0);

const sameOrigin = () => ({ origin: system.api.baseUrl });

function signIn(apiKey: string, headers: Record<string, string> = sameOrigin()): Promise<Response> {
  return fetch(`${system.api.baseUrl}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ apiKey }),
  });
}

async function keyOf(roles: readonly string[]): Promise<{ id: string; key: string }> {
  const answer = await system.client.call<{ id: string; key: string }>('POST', '/v1/api-keys', {
    name: 'anna',
    roles,
  });
  return answer.body;
}

/** The cookie of a session, as a browser would send it. */
async function sessionOf(apiKey: string): Promise<string> {
  const answer = await signIn(apiKey);
  expect(answer.status).toBe(200);
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

const call = (method: string, path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${system.api.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify({ reason: 'an incident' }) } : {}),
  });

describe('sign-in', () => {
  it('a sign-in exchanges an API key for a cookie that scripts, other sites and plain HTTP do not get', async () => {
    const here = await signIn(system.adminKey);
    expect(await here.json()).toMatchObject({ name: 'admin', roles: ['admin'] });
    expect(here.headers.get('set-cookie')).toMatch(
      /^dispatcher_session=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const behindTls = await signIn(system.adminKey, {
      origin: 'https://console.bank.example',
      'sec-fetch-site': 'same-origin',
    });
    expect(behindTls.headers.get('set-cookie')).toMatch(/SameSite=Strict; Secure$/);
  });

  it('the session cookie does not contain the API key', async () => {
    const { key } = await keyOf(['viewer']);
    const [, claims = ''] = (await sessionOf(key)).split('.');
    const text = Buffer.from(claims, 'base64url').toString();
    expect(JSON.parse(text)).toMatchObject({ name: 'anna', roles: ['viewer'] });
    expect(text).not.toContain(key);
  });

  it.each([
    ['a wrong key', () => signIn('wrong'), 401],
    ['a request from another site', () => signIn(system.adminKey, { 'sec-fetch-site': 'cross-site' }), 403],
    ['a request from another origin', () => signIn(system.adminKey, { origin: 'https://evil.example' }), 403],
    [
      'a request over plain HTTP',
      () => signIn(system.adminKey, { origin: 'http://10.0.0.7', 'sec-fetch-site': 'none' }),
      403,
    ],
    ['a body of 3 KiB', () => signIn('x'.repeat(3_000)), 413],
    ['a body without a content length', () => chunked(), 413],
  ])('a sign-in is refused for %s', async (_, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  const chunked = (): Promise<Response> =>
    fetch(`${system.api.baseUrl}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob(['{}']).stream(),
      duplex: 'half',
    });
});

describe('session', () => {
  it('a session has the rights of its API key, and allows changes only from the console’s pages', async () => {
    const cookie = await sessionOf((await keyOf(['oncall'])).key);
    expect((await call('GET', '/v1/deliveries', { cookie })).status).toBe(200);
    expect((await call('GET', '/v1/api-keys', { cookie })).status).toBe(403);
    const pause = async (headers: Record<string, string>) =>
      (await call('POST', '/v1/sending/pause', { cookie, ...headers })).status;
    expect(await pause({})).toBe(403);
    expect(await pause({ origin: 'https://evil.example' })).toBe(403);
    expect(await pause({ ...sameOrigin(), 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await pause(sameOrigin())).toBe(200);
    expect(await pause({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  it('a session does not replace a wrong API key in the same request', async () => {
    const cookie = await sessionOf(system.adminKey);
    expect((await call('GET', '/v1/me', { cookie, authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await call('GET', '/v1/me', { cookie, authorization: 'Basic d3Jvbmc6' })).status).toBe(401);
  });

  it('a session ends soon after its API key is revoked, and the refusal explains it', async () => {
    const { id, key } = await keyOf(['viewer']);
    const cookie = await sessionOf(key);
    expect((await call('GET', '/v1/me', { cookie })).status).toBe(200);
    await system.client.call('DELETE', `/v1/api-keys/${id}`);
    const answer = await waitUntil(
      async () => {
        const asked = await call('GET', '/v1/me', { cookie });
        return asked.status === 401 && asked;
      },
      { what: 'the session to be refused', everyMs: 100 },
    );
    expect(await answer.json()).toMatchObject({ detail: 'The session has ended. Sign in again.' });
  });

  it('signing out removes the session cookie from the browser', async () => {
    const cookie = await sessionOf(system.adminKey);
    const answer = await call('DELETE', '/v1/session', { cookie, 'sec-fetch-site': 'same-origin' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^dispatcher_session=; Max-Age=0; Path=\//);
  });
});
