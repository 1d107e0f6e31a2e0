import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { freePort } from '#test/support/free-port';
import { OpenIdProviderServer } from '#test/support/openid-provider';
import { System } from '#test/support/system';

let provider: OpenIdProviderServer;
let system: System;
beforeAll(async () => {
  const port = await freePort();
  // Not the provider's host 127.0.0.1, so that the redirect back is cross-site, as in production.
  const redirectUrl = `http://localhost:${String(port)}/sign-in/openid`;
  provider = await OpenIdProviderServer.start(redirectUrl);
  provider.accounts.set('anna', {
    claims: { name: 'Anna Ng', preferred_username: 'anna', groups: ['night'] },
  });
  provider.accounts.set('guest', { claims: { groups: ['canteen'] } });
  system = await System.start({
    backend: 'redis',
    workers: 0,
    port,
    env: {
      ...provider.environment(redirectUrl),
      OIDC_ROLES_CLAIM: 'groups',
      OIDC_ROLE_MAP: 'night:oncall',
      OIDC_LABEL: 'the bank’s sign-on',
    },
  });
});
afterAll(async () => {
  await system.stop();
  await provider.stop();
});

let browser: BrowserSession;
const consoleUrl = () => `http://localhost:${String(system.api.port)}`;
beforeEach(async () => {
  browser = await BrowserSession.open(consoleUrl(), { otherHosts: [new URL(provider.issuer).host] });
});
afterEach(() => browser.close());

/** Signs in on the provider's page. */
async function logIn(account: string): Promise<void> {
  await browser.page.getByRole('button', { name: 'Sign in with the bank’s sign-on' }).click();
  await browser.page.waitForURL(`${provider.issuer}/login/*`);
  await browser.page.getByLabel('Account').fill(account);
  await browser.page.getByRole('button', { name: 'Log in' }).click();
}

describe('single sign-on', () => {
  it('single sign-on opens the requested screen, permits a command, and signs out', async () => {
    const { page, context } = browser;
    await browser.visit('/deliveries?state=held');
    await page.getByRole('button', { name: 'Sign in with the bank’s sign-on' }).waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await browser.screenshot('sign-in-openid');
    await logIn('anna');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(page.url()).toBe(`${consoleUrl()}/deliveries?state=held`);
    await page.getByRole('button', { name: 'Anna Ng' }).click();
    await page.getByText('Signed in as “openid:anna (anna)”. Role: oncall.').waitFor();

    const cookies = (await context.cookies(consoleUrl())).map(({ name, httpOnly, sameSite }) => ({
      name,
      httpOnly,
      sameSite,
    }));
    expect(cookies).toEqual([{ name: 'dispatcher_session', httpOnly: true, sameSite: 'Strict' }]);
    const paused = await page.evaluate<number>(
      `fetch('/v1/queue/pause', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"reason":"an incident"}' }).then(({ status }) => status)`,
    );
    expect(paused).toBe(200);

    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await context.cookies(consoleUrl())).toEqual([]);
  });

  it('single sign-on names the missing claim of an account without a role, and leads back to the sign-in', async () => {
    await browser.visit('/');
    await logIn('guest');
    await browser.page.getByText('its claim “groups” has none of “night” (oncall)').waitFor();
    await browser.page.getByRole('link', { name: 'Back to signing in' }).click();
    await browser.typeKey(system.adminKey);
    await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(browser.page.url()).toBe(`${consoleUrl()}/`);
  });
});

it('refuses an answer of the OpenID provider that no sign-in requested', async () => {
  await browser.visit('/sign-in/openid?code=stolen&state=stolen');
  await browser.page
    .getByText('The provider’s answer belongs to no sign-in that this browser began')
    .waitFor();
  expect(await browser.context.cookies()).toEqual([]);
});

it('does not redirect to another host after single sign-on', async () => {
  await browser.visit('/sign-in?to=//evil.example/');
  await logIn('anna');
  await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(browser.page.url()).toBe(`${consoleUrl()}/`);
});
