import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedTokens, parseKeyring } from '#libs/vault';
import { freePort } from '#test/support/free-port';
import { OpenIdProviderServer, unpublishedKey } from '#test/support/openid-provider';
import { newKey, System } from '#test/support/system';

const ROLE_MAP = 'staff:viewer,night-shift:oncall,urn:bank:ops:operator,platform:admin';

const KEYRING = newKey('k1');

let provider: OpenIdProviderServer;
let system: System;
beforeAll(async () => {
  const port = await freePort();
  const redirectUrl = `http://127.0.0.1:${String(port)}/sign-in/openid`;
  provider = await OpenIdProviderServer.start(redirectUrl);
  system = await System.start({
    backend: 'redis',
    workers: 0,
    port,
    keyring: KEYRING,
    env: { ...provider.environment(redirectUrl), OIDC_ROLE_MAP: ROLE_MAP, OIDC_LABEL: 'the bank’s sign-on' },
  });
});
afterAll(async () => {
  await system.stop();
  await provider.stop();
});

let addresses = 0;
/** A request of the console's page. Each has its own address, so that tests do not share a limit of failures. */
function post(path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
  addresses += 1;
  return fetch(`${system.api.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      origin: system.api.baseUrl,
      'x-forwarded-for': `198.51.100.${String(addresses)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

interface Begun {
  readonly location: string;
  readonly cookie: string;
}
async function begin(): Promise<Begun> {
  const answer = await post('/v1/session/openid');
  expect(answer.status).toBe(200);
  const { location }: { location: string } = JSON.parse(await answer.text());
  return { location, cookie: cookiesOf(answer) };
}
const finish = (answer: string, cookie: string, headers: Record<string, string> = {}): Promise<Response> =>
  post('/v1/session/openid/answer', { answer }, { cookie, ...headers });

async function signIn(accountId: string): Promise<Response> {
  const { location, cookie } = await begin();
  return finish(await provider.signIn(location, accountId), cookie);
}
async function sessionOf(accountId: string): Promise<string> {
  const answer = await signIn(accountId);
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  return cookiesOf(answer);
}
const detailOf = async (answer: Response): Promise<string> => {
  const problem: { detail: string } = JSON.parse(await answer.text());
  return problem.detail;
};

let accounts = 0;
function accountWith(roles: unknown, claims: object = {}): string {
  accounts += 1;
  const id = `subject-${String(accounts)}`;
  provider.accounts.set(id, { claims: { roles, name: 'Anna Ng', preferred_username: 'anna', ...claims } });
  return id;
}

describe('roles by OpenID Connect', () => {
  it.each([
    [['staff'], 'viewer'],
    ['night-shift', 'oncall'],
    [['others', 'urn:bank:ops', 'staff'], 'operator'],
    [['platform', 'staff', 'night-shift'], 'admin'],
  ])('a person whose roles claim is %j signs in with the role %s', async (roles, role) => {
    const id = accountWith(roles);
    const answer = await signIn(id);
    expect(answer.status).toBe(200);
    const me = {
      name: `openid:anna (${id})`,
      person: 'Anna Ng',
      roles: [role],
      consumerId: null,
    };
    expect(await answer.json()).toMatchObject(me);
    const asked = await fetch(`${system.api.baseUrl}/v1/me`, { headers: { cookie: cookiesOf(answer) } });
    expect(await asked.json()).toMatchObject(me);
  });
});

describe('answer of the OpenID provider', () => {
  it('a person without a role is refused, and reads which claim was checked and what to ask for', async () => {
    for (const roles of [['contractors', 'Platform'], [], undefined, { staff: true }]) {
      const answer = await signIn(accountWith(roles));
      expect([roles, answer.status, cookiesOf(answer)]).toEqual([roles, 403, '']);
      expect(await detailOf(answer)).toBe(
        'The provider knows you, but gives you no role here: its claim “roles” has none of “staff” (viewer), ' +
          '“night-shift” (oncall), “urn:bank:ops” (operator), “platform” (admin). ' +
          'Ask its administrator for one of these, then sign in again.',
      );
    }
    expect(system.api.output).toMatch(
      /"requestId":"[\w-]+","actor":"openid:anna \(subject-\d+\)".*"reason":"no role".*"session.refused"/,
    );
  });

  it('an OpenID provider’s answer is accepted once, and only in the browser that began the sign-in', async () => {
    const account = accountWith(['platform']);
    const [mine, others] = [await begin(), await begin()];
    const answer = await provider.signIn(mine.location, account);
    const otherState = answer.replace(/state=[^&]*/, `state=${'x'.repeat(43)}`);
    const refused: [string, string, string][] = [
      ['without a cookie', answer, ''],
      ['with the cookie of another sign-in', answer, others.cookie],
      ['with another state', otherState, mine.cookie],
      ['without a state', answer.replace(/state=[^&]*&?/, ''), mine.cookie],
      ['with a state twice', `${answer}&state=x`, mine.cookie],
      ['from another issuer', answer.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'), mine.cookie],
      ['with another code', answer.replace(/code=[^&]*/, 'code=guessed'), mine.cookie],
      ['with an altered cookie', answer, `${mine.cookie}x`],
      ['with an error of the provider', answer.replace(/code=[^&]*/, 'error=access_denied'), mine.cookie],
    ];
    for (const [how, given, cookie] of refused) {
      const refusal = await finish(given, cookie);
      expect([how, refusal.status, cookiesOf(refusal)]).toEqual([how, 401, '']);
      expect(await detailOf(refusal)).toMatch(
        /^The provider’s answer belongs to no sign-in that this browser began/,
      );
    }
    const accepted = await finish(answer, mine.cookie);
    expect(accepted.status).toBe(200);
    // The browser's cookie is cleared. The provider refuses a copy of the answer and the cookie.
    expect(accepted.headers.getSetCookie()[0]).toMatch(/^dispatcher_sign_in=; Max-Age=0; /);
    expect((await finish(answer, mine.cookie)).status).toBe(401);
  });

  it('an OpenID provider’s answer that another issuer has signed is refused', async () => {
    const account = accountWith(['platform']);
    provider.forgery = { key: unpublishedKey };
    const forged = await signIn(account);
    expect([forged.status, cookiesOf(forged)]).toEqual([401, '']);
    provider.forgery = null;
    expect((await signIn(account)).status).toBe(200);
  });

  it('an address may send 20 refused OpenID answers, and then gets 429', async () => {
    const { cookie } = await begin();
    const headers = { 'x-forwarded-for': '198.51.100.255' };
    for (let count = 0; count < 20; count += 1)
      expect((await finish('code=x', cookie, headers)).status).toBe(401);
    expect((await finish('code=x', cookie, headers)).status).toBe(429);
    expect((await finish('code=x', cookie)).status).toBe(401);
  });

  it('an OpenID provider’s answer may have 8 KiB, and more than 10 KiB is refused unread', async () => {
    expect((await finish(`code=${'x'.repeat(8_000)}`, '')).status).toBe(401);
    expect((await finish(`code=${'x'.repeat(8_200)}`, '')).status).toBe(422);
    expect((await finish(`code=${'x'.repeat(11_000)}`, '')).status).toBe(413);
  });
});

describe('unreachable OpenID provider', () => {
  it('an unreachable OpenID provider affects only OpenID sign-ins, and only until it is reachable again', async () => {
    const account = accountWith(['staff']);
    const begun = await begin();
    const answer = await provider.signIn(begun.location, account);
    await provider.stop();
    try {
      const refused = await finish(answer, begun.cookie);
      expect([refused.status, await detailOf(refused)]).toEqual([503, expect.stringContaining('API key')]);
      // An api that has never reached the provider starts, is ready, and accepts sign-ins with API keys.
      const { baseUrl } = await system.startApi();
      const ask = (path: string, body: object): Promise<Response> =>
        fetch(`${baseUrl}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: system.api.baseUrl,
            'sec-fetch-site': 'same-origin',
          },
          body: JSON.stringify(body),
        });
      expect((await ask('/v1/session/openid', {})).status).toBe(503);
      expect((await ask('/v1/session', { apiKey: system.adminKey })).status).toBe(200);
      await provider.listen();
      expect((await ask('/v1/session/openid', {})).status).toBe(200);
    } finally {
      await provider.listen();
    }
    expect((await signIn(account)).status).toBe(200);
    expect(system.api.output).toMatch(/"reason":"fetch failed: .*ECONNREFUSED/);
  });
});

describe('OpenID session', () => {
  const call = (method: string, path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${system.api.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: JSON.stringify({ reason: 'an incident' }) } : {}),
    });
  const sameOrigin = () => ({ origin: system.api.baseUrl });

  it('an OpenID sign-in sets a session cookie for an hour that scripts and other sites cannot read', async () => {
    const answer = await signIn(accountWith(['staff']));
    expect(answer.headers.getSetCookie()[1]).toMatch(
      /^dispatcher_session=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const out = await call('DELETE', '/v1/session', { cookie: cookiesOf(answer), ...sameOrigin() });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^dispatcher_session=; Max-Age=0;/),
    ]);
  });

  it('an OpenID session has its role’s rights, allows changes only from the console, and is audited by name', async () => {
    const account = accountWith(['night-shift'], { preferred_username: 'bert' });
    const cookie = await sessionOf(account);
    expect((await call('GET', '/v1/deliveries', { cookie })).status).toBe(200);
    expect((await call('GET', '/v1/api-keys', { cookie })).status).toBe(403);
    expect((await call('POST', '/v1/sending/pause', { cookie })).status).toBe(403);
    expect((await call('POST', '/v1/sending/pause', { cookie, ...sameOrigin() })).status).toBe(200);
    const { body } = await system.client.call<{ entries: object[] }>(
      'GET',
      '/v1/audit?action=sending.paused',
    );
    expect(body.entries[0]).toMatchObject({ actor: `openid:bert (${account})`, role: 'oncall' });
  });

  it('an OpenID session ends after its lifetime, and is valid for the configured issuer only', async () => {
    const keyring = parseKeyring(KEYRING);
    if (!keyring.ok) throw new Error(keyring.faults.join());
    const status = async (lifetimeSeconds: number, claims: object): Promise<number> => {
      const tokens = createSignedTokens(keyring.keyring, { purpose: 'console-session/1', lifetimeSeconds });
      const person = { name: 'openid:anna (1)', person: 'Anna', roles: ['admin'], consumerId: null };
      const token = await tokens.sign({ ...person, issuer: provider.issuer, ...claims });
      return (await call('GET', '/v1/api-keys', { cookie: `dispatcher_session=${token}` })).status;
    };
    expect(await status(60, {})).toBe(200);
    expect(await status(-1, {})).toBe(401);
    expect(await status(60, { issuer: 'https://former.example' })).toBe(401);
    expect(await status(60, { issuer: undefined })).toBe(401);
    expect(await status(60, { person: undefined })).toBe(401);
  });
});

describe('begin of an OpenID sign-in', () => {
  it('the OpenID sign-in is offered by its label, and begins only from the console at the registered address', async () => {
    const offer = await fetch(`${system.api.baseUrl}/v1/session/openid`);
    expect(await offer.json()).toEqual({
      label: 'the bank’s sign-on',
      environment: null,
      brand: { name: null, color: null, logo: null },
    });
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign)
      expect((await post('/v1/session/openid', undefined, headers)).status).toBe(403);
    const elsewhere = { origin: 'https://other-name.example', 'sec-fetch-site': 'same-origin' };
    const answer = await post('/v1/session/openid', undefined, elsewhere);
    expect([answer.status, await detailOf(answer)]).toEqual([
      403,
      expect.stringContaining(`browsers back to ${system.api.baseUrl} (OIDC_REDIRECT_URL)`),
    ]);
  });
});

it('the log of the api holds no OpenID client secret, code or token', () => {
  expect(system.api.output).toContain('"session.started"');
  for (const secret of [provider.clientSecret, 'eyJ', 'code='])
    expect(system.api.output).not.toContain(secret);
});
