import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { freePort } from '#test/support/free-port';
import { OpenIdProviderServer } from '#test/support/openid-provider';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const EVERY_ROLES_SCREENS = ['Overview', 'Issues', 'Deliveries', 'Payments', 'Consumers'];

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="28"><script>alert(1)</script><rect width="60" height="28"/></svg>';

let provider: OpenIdProviderServer;
let system: System;
const folder = mkdtempSync(join(tmpdir(), 'logo-'));
beforeAll(async () => {
  writeFileSync(join(folder, 'logo.svg'), LOGO);
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
      ENVIRONMENT_NAME: 'production',
      ENVIRONMENT_COLOR: 'red',
      BRAND_NAME: 'Example Bank',
      BRAND_COLOR: '#7a1f5c',
      BRAND_LOGO_FILE: join(folder, 'logo.svg'),
    },
  });
  await system.client.accept(achExample({ transactionId: 'PAY-1' }));
});
afterAll(async () => {
  await system.stop();
  await provider.stop();
  rmSync(folder, { recursive: true });
});

let browser: BrowserSession;
const consoleUrl = () => `http://localhost:${String(system.api.port)}`;
beforeEach(async () => {
  browser = await BrowserSession.open(consoleUrl(), { otherHosts: [new URL(provider.issuer).host] });
});
afterEach(() => browser.close());

const heading = (name: string) => browser.page.getByRole('heading', { name, exact: true }).waitFor();
const screens = async (): Promise<string[]> =>
  (await browser.page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allInnerTexts()).map(
    (text) => text.split('\n', 1)[0] ?? '',
  );

/** Signs in on the provider's page. */
async function logIn(account: string): Promise<void> {
  await browser.page.getByRole('button', { name: 'Sign in with the bank’s sign-on' }).click();
  await browser.page.waitForURL(`${provider.issuer}/login/*`);
  await browser.page.getByLabel('Account').fill(account);
  await browser.page.getByRole('button', { name: 'Log in' }).click();
}

describe('signing in with an API key', () => {
  it('a wrong key is refused, the right one opens the requested screen, and signing out leaves nothing behind', async () => {
    const { page, context } = browser;
    await browser.visit('/deliveries?state=held');
    await page.getByText('production', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Example Bank' }).waitFor();
    await page.getByRole('button', { name: 'Sign in with the bank’s sign-on' }).waitFor();
    expect(await page.getByText('You were signed out').count()).toBe(0);
    await browser.typeKey('wrong');
    await page.getByText('This API key is unknown, expired or revoked.').waitFor();
    await browser.screenshot('sign-in-refused');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await browser.typeKey(system.adminKey);
    await heading('Deliveries');
    expect(page.url()).toBe(`${consoleUrl()}/deliveries?state=held`);
    await page.getByRole('banner').getByText('production', { exact: true }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Example Bank' }).waitFor();
    expect(await page.title()).toBe('Deliveries · Example Bank');
    expect(
      await page.evaluate('getComputedStyle(document.querySelector("nav [aria-current]")).backgroundColor'),
    ).toBe('rgb(122, 31, 92)');
    expect(await browser.accessibilityFaults('colours')).toEqual([]);
    expect(await screens()).toEqual(expect.arrayContaining(['Audit', 'API keys']));

    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', secure: false });
    const lifetimeSeconds = (cookie?.expires ?? 0) - Date.now() / 1_000;
    expect(Math.abs(lifetimeSeconds - 12 * 60 * 60)).toBeLessThan(60);
    const kept = await page.evaluate(
      'JSON.stringify([document.cookie, localStorage, sessionStorage, document.documentElement.outerHTML])',
    );
    expect(kept).not.toContain(system.adminKey);
    expect(kept).not.toContain(cookie?.value);

    await page.getByRole('link', { name: 'Payments' }).click();
    await heading('Payments');
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByText('You were signed out').count()).toBe(0);
    expect(await context.cookies()).toEqual([]);
    await page.goBack();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('the bank’s logo is shown as an image, and opened by its address its script does not run', async () => {
    const { page } = browser;
    await browser.visit('/sign-in');
    await page.locator('img[src="/brand/logo"]').waitFor();
    const width = 'document.querySelector("img").naturalWidth';
    await waitUntil(async () => (await page.evaluate(width)) === 60, { what: 'the logo to be shown' });
    const answer = await fetch(`${system.api.baseUrl}/brand/logo`);
    expect(await answer.text()).toBe(LOGO);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it('a viewer sees the screens of the role, learns which role another screen needs, and why the session ended', async () => {
    const { page } = browser;
    const { id, key } = await system.client.createKey('leaver', 'viewer');
    await browser.signInOnPage(key, '/audit');
    await page.getByText('This screen needs the role admin').waitFor();
    expect(await screens()).toEqual([...EVERY_ROLES_SCREENS, 'Bulk actions', 'Channels', 'Report']);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await system.client.call('DELETE', `/v1/api-keys/${id}`);
    const notice = page.getByRole('alert').filter({ hasText: 'You were signed out' });
    expect(await notice.innerText()).toContain(
      'The key was revoked or has expired, or the session of 12 hours ended.',
    );
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await browser.typeKey(system.adminKey);
    await heading('Deliveries');
  });

  it('a producer on a phone sees only Payments, and a link to it', async () => {
    const phone = await BrowserSession.openAs(system, 'producer', { width: 390, colorScheme: 'dark' });
    await phone.page.getByRole('link', { name: 'Go to Payments' }).waitFor();
    expect(await phone.accessibilityFaults('colours')).toEqual([]);
    expect(await phone.fitsTheWidth()).toBe(true);
    await phone.close();
  });
});

describe('single sign-on', () => {
  it('single sign-on opens the requested screen, permits a command, and signs out', async () => {
    const { page, context } = browser;
    await browser.visit('/deliveries?state=held');
    await logIn('anna');
    await heading('Deliveries');
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
      `fetch('/v1/sending/pause', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"reason":"an incident"}' }).then(({ status }) => status)`,
    );
    expect(paused).toBe(200);

    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await context.cookies(consoleUrl())).toEqual([]);
  });

  it('single sign-on names the missing claim of an account without a role, and refuses an answer that nobody requested', async () => {
    const { page } = browser;
    await browser.visit('/sign-in/openid?code=stolen&state=stolen');
    await page.getByText('The provider’s answer belongs to no sign-in that this browser began').waitFor();
    expect(await browser.context.cookies()).toEqual([]);
    await browser.visit('/');
    await logIn('guest');
    await page.getByText('its claim “groups” has none of “night” (oncall)').waitFor();
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await page.getByLabel('API key').waitFor();
  });

  it('neither single sign-on nor an API key leads to another host', async () => {
    const { page } = browser;
    await browser.visit('/sign-in?to=//evil.example/');
    await logIn('anna');
    await heading('Overview');
    expect(page.url()).toBe(`${consoleUrl()}/`);
    await browser.context.clearCookies();
    await browser.signInOnPage(system.adminKey, '/sign-in?to=/%09/evil.example/');
    await heading('Overview');
    expect(page.url()).toBe(`${consoleUrl()}/`);
  });
});

describe('frame of every screen', () => {
  const focused = () => browser.page.evaluate<string>('document.activeElement.textContent');

  it('a person skips to the content, opens a screen, searches and switches shortcuts off with the keyboard', async () => {
    const { page } = browser;
    await browser.signIn(system.adminKey);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await waitUntil(
      async () => {
        // Again, as a person would: two keys more than 1.5 s apart are no shortcut, and a machine may stop for so long.
        await page.keyboard.press('g');
        await page.keyboard.press('d');
        await page.waitForURL('**/deliveries', { timeout: 5_000 });
        return true;
      },
      { what: 'the shortcut to open the deliveries' },
    );
    await waitUntil(async () => (await focused()) === 'Deliveries', {
      what: 'the heading to have the focus',
    });
    expect(await page.title()).toBe('Deliveries · Example Bank');
    await page.keyboard.press('/');
    const search = page.getByRole('dialog', { name: 'Search' });
    await browser.waitForFocus(search.getByRole('searchbox'));
    await page.keyboard.type('PAY-2');
    await page.keyboard.press('Enter');
    await search.getByText('Nothing found for “PAY-2”. Searched: payment,').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });

    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.getByLabel('Single-letter shortcuts').click();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.reload();
    await heading('Deliveries');
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await dialog.waitFor();
    expect(new URL(page.url()).pathname).toBe('/deliveries');
  });

  it('an unknown address shows “Page not found” within the frame, whose header fits a phone in the longest time zone', async () => {
    const phone = await BrowserSession.open(system.api.baseUrl, {
      width: 390,
      height: 844,
      timezone: 'America/New_York',
    });
    const { page } = phone;
    await phone.signIn(system.adminKey, '/deliveries/a/b/c');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.title()).toMatch(/Page not found · Example Bank$/);
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('button', { name: /^Times in UTC/ }).click();
    await page.getByRole('button', { name: /^Times in New York/ }).waitFor();
    await phone.screenshot('frame-390-light');
    expect(await phone.fitsTheWidth()).toBe(true);
    for (const button of await page.getByRole('banner').getByRole('button').all()) {
      const box = await button.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await phone.close();
  });
});
