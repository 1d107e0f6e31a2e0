import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { System } from '#test/support/system';

let system: System;
beforeAll(async () => {
  system = await System.shared(0);
});
afterAll(() => system.stop());

let browser: BrowserSession;
beforeEach(async () => {
  browser = await BrowserSession.open(system.api.baseUrl);
});
afterEach(() => browser.close());

async function keyOf(name: string, role: Role): Promise<{ id: string; key: string }> {
  const answer = await system.client.call<{ id: string; key: string }>('POST', '/v1/api-keys', {
    name,
    roles: [role],
  });
  return answer.body;
}

const screens = async (): Promise<string[]> =>
  (await browser.page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allInnerTexts()).map(
    (text) => text.split('\n', 1)[0] ?? '',
  );

describe('signing in', () => {
  it('refuses a wrong API key, and opens the requested screen with the right key', async () => {
    await browser.visit('/deliveries?state=held');
    await browser.typeKey('wrong');
    await browser.page.getByText('This API key is unknown, expired or revoked.').waitFor();
    await browser.typeKey(system.adminKey);
    await browser.page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(browser.page.url()).toBe(`${system.api.baseUrl}/deliveries?state=held`);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/%5Cevil.example/',
    '/%09/evil.example/',
    '/.//evil.example',
  ])('does not redirect to another host after signing in: %s', async (to) => {
    await browser.signInOnPage(system.adminKey, `/sign-in?to=${to}`);
    await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(browser.page.url()).toBe(`${system.api.baseUrl}/`);
  });

  it('the browser stores no API key, only a cookie that scripts cannot read', async () => {
    await browser.signInOnPage(system.adminKey);
    const [cookie, ...others] = await browser.context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', secure: false });
    const lifetimeSeconds = (cookie?.expires ?? 0) - Date.now() / 1_000;
    expect(Math.abs(lifetimeSeconds - 12 * 60 * 60)).toBeLessThan(60);
    const kept = await browser.page.evaluate(
      'JSON.stringify([document.cookie, localStorage, sessionStorage, document.documentElement.outerHTML])',
    );
    expect(kept).not.toContain(system.adminKey);
    expect(kept).not.toContain(cookie?.value);
  });
});

describe('session', () => {
  it('shows a viewer the screens of the role, and which role another screen needs', async () => {
    const { key } = await keyOf('vera', 'viewer');
    await browser.signInOnPage(key);
    expect(await screens()).toEqual([
      'Overview',
      'Issues',
      'Deliveries',
      'Payments',
      'Consumers',
      'Bulk actions',
      'Channels',
      'Report',
    ]);
    await browser.visit('/audit');
    await browser.page.getByText('This screen needs the role admin').waitFor();
  });

  it('shows only Payments to a producer, and every screen to an admin', async () => {
    await browser.signInOnPage((await keyOf('hub', 'producer')).key);
    expect(await screens()).toEqual(['Payments']);
    await browser.context.clearCookies();
    await browser.signInOnPage(system.adminKey);
    expect(await screens()).toEqual(expect.arrayContaining(['Audit', 'API keys']));
  });

  it('shows only the sign-in page after signing out and going back', async () => {
    await browser.signInOnPage(system.adminKey);
    await browser.page.getByRole('link', { name: 'Deliveries' }).click();
    await browser.page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    await browser.page.getByRole('button', { name: 'admin' }).click();
    await browser.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await browser.page.getByLabel('API key').waitFor();
    expect(await browser.context.cookies()).toEqual([]);
    await browser.page.goBack();
    await browser.page.getByLabel('API key').waitFor();
    expect(await browser.page.getByRole('navigation').count()).toBe(0);
  });

  it('shows the sign-in page with the reason when the API key is revoked', async () => {
    const { id, key } = await keyOf('leaver', 'viewer');
    await browser.signInOnPage(key, '/deliveries');
    await system.client.call('DELETE', `/v1/api-keys/${id}`);
    await browser.page.getByLabel('API key').waitFor();
    expect(new URL(browser.page.url()).pathname).toBe('/sign-in');
    const notice = browser.page.getByRole('alert').filter({ hasText: 'You were signed out' });
    expect(await notice.innerText()).toContain(
      'The key was revoked or has expired, or the session of 12 hours ended.',
    );
    await browser.typeKey(system.adminKey);
    await browser.page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
  });

  it('shows no notice of an ended session at the first visit or after signing out', async () => {
    await browser.visit('/');
    await browser.page.getByLabel('API key').waitFor();
    expect(await browser.page.getByText('You were signed out').count()).toBe(0);
    await browser.typeKey(system.adminKey);
    await browser.page.getByRole('button', { name: 'admin' }).click();
    await browser.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await browser.page.getByLabel('API key').waitFor();
    expect(await browser.page.getByText('You were signed out').count()).toBe(0);
  });

  it('an unknown address leads to the overview', async () => {
    await browser.signInOnPage(system.adminKey, '/deliveries/a/b/c');
    await browser.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await browser.page.getByRole('link', { name: 'Overview' }).last().click();
    await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(browser.page.url()).pathname).toBe('/');
  });
});
