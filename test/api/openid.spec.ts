import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '#test/support/free-port';
import { OpenIdProviderServer, strangersKey, type Forgery } from '#test/support/openid-provider';
import { System } from '#test/support/system';

const ROLE_MAP = 'staff:viewer,night-shift:oncall,urn:bank:ops:operator,platform:admin';

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
    env: { ...provider.environment(redirectUrl), OIDC_ROLE_MAP: ROLE_MAP, OIDC_LABEL: 'the bank’s sign-on' },
  });
}, 60_000);
afterAll(async () => {
  await system.stop();
  await provider.goAway();
});
beforeEach(() => {
  provider.forgery = null;
});

let addresses = 0;
/** As the console's page does it; each from an address of its own, so that no test uses up another's failures. */
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

describe('signing in by OpenID Connect', () => {
  it.each([
    [['staff'], 'viewer'],
    ['night-shift', 'oncall'],
    [['others', 'urn:bank:ops', 'staff'], 'operator'],
    [['platform', 'staff', 'night-shift'], 'admin'],
  ])('gives who has %j the role %s', async (roles, role) => {
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
