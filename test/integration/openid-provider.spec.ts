import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { OpenIdProvider } from '#apps/api/src/access/sign-in/openid/openid-provider.service';
import { readConfig } from '#libs/config';
import { createLogger } from '#libs/observability';
import { freePort } from '#test/support/free-port';
import { OpenIdProviderServer, unpublishedKey, type Forgery } from '#test/support/openid-provider';
import { newKey } from '#test/support/system';

const REDIRECT_URL = 'https://dispatcher.bank.example/sign-in/openid';

const logger = createLogger({ level: 'silent', process: 'test' });

let server: OpenIdProviderServer;
beforeAll(async () => {
  server = await OpenIdProviderServer.start(REDIRECT_URL);
  server.accounts.set('anna', { claims: { roles: ['staff'] } });
});
afterAll(() => server.stop());
afterEach(() => {
  server.forgery = null;
});

/** The OpenID client with valid settings, some of which a test may replace with wrong ones. */
function configured(env: Record<string, string> = {}) {
  const config = readConfig('api', {
    DATABASE_URL: 'postgres://none',
    QUEUE_BACKEND: 'postgres',
    SECRETS_KEYRING: newKey('k1'),
    ADMIN_API_KEY: 'a'.repeat(32),
    OIDC_ROLE_MAP: 'staff:viewer',
    ...server.environment(REDIRECT_URL),
    ...env,
  });
  if (config.openId === null) throw new Error('OpenID Connect is configured here');
  const provider = new OpenIdProvider(config, logger);
  return { provider, openId: config.openId };
}

async function claimsFrom({ provider, openId }: ReturnType<typeof configured>): Promise<object> {
  const secrets = provider.newSecrets();
  const answer = await server.signIn(await provider.location(openId, secrets), 'anna');
  return provider.claimsOf(openId, answer, secrets);
}

it('the OpenID client reads from UserInfo the claims that the ID token lacks', async () => {
  expect(await claimsFrom(configured())).toMatchObject({ sub: 'anna', roles: ['staff'] });
});

it('a sign-in requests a code with PKCE, and each has a verifier, state and nonce of its own', async () => {
  const { provider, openId } = configured();
  const [secrets, other] = [provider.newSecrets(), provider.newSecrets()];
  const asked = new URL(await provider.location(openId, secrets)).searchParams;
  expect(Object.fromEntries(asked)).toEqual({
    client_id: server.clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URL,
    scope: 'openid profile',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(secrets.verifier).digest('base64url'),
    state: secrets.state,
    nonce: secrets.nonce,
  });
  expect(new Set([...Object.values(secrets), ...Object.values(other)]).size).toBe(6);
});

it.each<[string, Forgery]>([
  ['with another nonce', { claims: { nonce: 'another' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['for another audience', { claims: { aud: 'another-client' } }],
  ['of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['that has expired', { claims: { exp: 1_700_000_000 } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['that another key has signed', { key: unpublishedKey }],
])('a sign-in refuses an ID token %s', async (_, forgery) => {
  server.forgery = forgery;
  await expect(claimsFrom(configured())).rejects.toMatchObject({ name: 'AnswerRefusedError' });
});

it('a sign-in prefers the claims of the signed ID token to those of UserInfo', async () => {
  server.forgery = { claims: { roles: ['canteen'] } };
  expect(await claimsFrom(configured())).toMatchObject({ sub: 'anna', roles: ['canteen'] });
});

it('a wrong client secret is reported as an unavailable provider, not as a refused person', async () => {
  const wrong = configured({ OIDC_CLIENT_SECRET: 'former' });
  await expect(claimsFrom(wrong)).rejects.toMatchObject({
    name: 'ProviderUnavailableError',
    reason: 'the provider says invalid_client',
  });
});

it.each([
  ['without metadata', (issuer: string) => `${issuer}/realms/staff`, /^OAUTH_RESPONSE_IS_NOT_CONFORM/],
  [
    'whose metadata names another issuer',
    (issuer: string) => issuer.replace('127.0.0.1', 'localhost'),
    /^OAUTH_JSON_ATTRIBUTE/,
  ],
])('a sign-in reports what is wrong with a configured issuer %s', async (_, wrong, reason) => {
  const { provider, openId } = configured({ OIDC_ISSUER: wrong(server.issuer) });
  await expect(provider.location(openId, provider.newSecrets())).rejects.toMatchObject({
    name: 'ProviderUnavailableError',
    reason: expect.stringMatching(reason),
  });
});

it('a web page instead of provider metadata is reported as unavailable, and the next sign-in asks again', async () => {
  const [port, pages] = [await freePort(), { asked: 0 }];
  const proxy = createServer((_request, response) => {
    pages.asked += 1;
    response.setHeader('content-type', 'text/html');
    response.end('<p>Maintenance</p>');
  }).listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  const { provider, openId } = configured({ OIDC_ISSUER: `http://127.0.0.1:${String(port)}` });
  for (const asked of [1, 2]) {
    await expect(provider.location(openId, provider.newSecrets())).rejects.toMatchObject({
      reason: expect.stringMatching(/^OAUTH_RESPONSE_IS_NOT_JSON/),
    });
    expect(pages.asked).toBe(asked);
  }
  proxy.close();
});
