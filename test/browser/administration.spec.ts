import type { ChannelListDto } from '#apps/api/src/resources/channels/channel.dto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client';
import { BrowserSession } from '#test/support/browser-session';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { System } from '#test/support/system';

let system: System;
let receiver: ConsumerServer;
let browser: BrowserSession;
beforeAll(async () => {
  [system, receiver] = await Promise.all([System.shared(0), startConsumer()]);
  browser = await BrowserSession.openAs(system, 'operator', { path: '/channels' });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([receiver.close(), system.stop()]);
});

const stored = async (name: string) =>
  (await system.client.call<ChannelListDto>('GET', '/v1/channels')).body.channels.find(
    (channel) => channel.name === name,
  );

describe('channels in the console', () => {
  it('an operator creates a signed webhook, stores its secret, and sends it a test message', async () => {
    const { page } = browser;
    await page.getByRole('main').getByRole('button', { name: 'Create channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Security desk');
    await dialog.getByText('Ticket: act today').waitFor();
    await dialog.getByLabel('Kind', { exact: true }).selectOption('PagerDuty');
    await dialog.getByText('Ticket: act today').waitFor({ state: 'hidden' });
    await dialog.getByText('Page: act now').waitFor();
    await dialog.getByLabel('Kind', { exact: true }).selectOption('Signed webhook');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByLabel('Kinds of issues').first().click();
    await page.getByRole('option', { name: 'Down', exact: true }).click();
    await dialog.getByLabel('Name').click();
    await dialog.getByRole('switch', { name: 'Only at certain hours' }).click();
    await dialog.getByText('Sat', { exact: true }).click();
    await browser.screenshot('channel-form');
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.getByText('Signing secret: shown only once').waitFor();
    await dialog.getByRole('button', { name: 'I have stored the signing secret. Close' }).click();

    const row = page.getByRole('row', { name: 'Security desk' });
    await row.getByText('Mon, Tue, Wed, Thu, Fri, Sat, 08:00 to 18:00').waitFor();
    await row.getByRole('button', { name: 'Send a test message to Security desk' }).click();
    await page.getByText('Security desk accepted it.').waitFor();
    expect(receiver.requests.at(-1)?.body).toContain('This is a test of the channel');
    expect(await stored('Security desk')).toMatchObject({
      kind: 'webhook',
      issueKinds: ['down'],
      severities: ['page', 'ticket', 'info'],
    });
  });

  it('a test message that is refused is shown with the answer', async () => {
    const { page } = browser;
    receiver.behave(() => ({ status: 404 }));
    await page.getByRole('button', { name: 'Send a test message to Security desk' }).click();
    const notification = page.getByRole('alert').filter({ hasText: 'HTTP 404' });
    expect(await notification.innerText()).toContain('Security desk did not accept the test message');
    await notification.getByRole('button').click();
    await notification.waitFor({ state: 'detached' });
    receiver.behave(() => ({}));
  });

  it('an operator changes a channel without entering its URL again, disables it, and removes it', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Edit Security desk' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('URL').inputValue()).toBe('');
    await dialog.getByLabel('Name').fill('Operations desk');
    await dialog.getByRole('switch', { name: 'Enabled' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: 'Operations desk' });
    await row.getByText('Disabled').waitFor();
    await row.getByRole('button', { name: 'Send a test message to Operations desk' }).click();
    await page.getByText('Operations desk accepted it.').waitFor();
    await browser.screenshot('channels');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await row.getByRole('button', { name: 'Remove Operations desk' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await stored('Operations desk')).toBeUndefined();
  });

  it('a refused field is shown at its field, and nothing is created', async () => {
    const { page } = browser;
    await page.getByRole('main').getByRole('button', { name: 'Create channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Pager');
    await dialog.getByLabel('Kind', { exact: true }).selectOption('PagerDuty');
    await dialog.getByLabel('Integration key').fill('short');
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.getByText('Nothing was saved').waitFor();
    await dialog
      .getByText('must be the 32 letters and digits of an Events API v2 integration')
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await stored('Pager')).toBeUndefined();
  });

  it('a viewer sees the channels and cannot change them; their screen is accessible, and fits a phone', async () => {
    await system.client.call('POST', '/v1/channels', {
      name: 'Chat of the payments team',
      kind: 'slack',
      url: receiver.url,
    });
    const viewer = await BrowserSession.openAs(system, 'viewer', { path: '/channels', width: 390 });
    await viewer.page.getByText('Chat of the payments team').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Create|Edit|Remove|test/ }).count()).toBe(0);
    expect(await viewer.fitsTheWidth()).toBe(true);
    await viewer.screenshot('channels-phone');
    await viewer.close();
  });
});

describe('API keys', () => {
  let admin: BrowserSession;
  beforeAll(async () => {
    admin = await BrowserSession.open(system.api.baseUrl);
    await admin.signIn(system.adminKey, '/api-keys');
  });
  afterAll(() => admin.close());

  it('shows a new API key once, and closes only after a confirmation that the key is stored', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Choose at least one').waitFor();
    await form.getByLabel('Name').fill('night-shift');
    await form.getByRole('checkbox', { name: 'oncall' }).check();
    await form.getByRole('button', { name: 'Create key' }).click();

    const made = page.getByRole('dialog', { name: 'Key “night-shift” created' });
    const key = await made.getByRole('region', { name: 'API key' }).innerText();
    expect(await admin.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 400);
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await made.getByText('Store it first').waitFor();
    expect(await made.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0);
    await made.getByRole('button', { name: 'I have stored the key' }).click();
    await made.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(key);
    expect((await new ApiClient(system.api.baseUrl, key).call('GET', '/v1/me')).status).toBe(200);
  });

  it('marks an API key that expires within 14 days, finds it by a part of its name, and revokes it', async () => {
    const make = (name: string, days: number) =>
      system.client.call<{ key: string }>('POST', '/v1/api-keys', {
        name,
        roles: ['viewer'],
        expiresAt: new Date(Date.now() + days * 86_400_000).toISOString(),
      });
    const { body } = await make('soon over', 13);
    await make('long', 15);
    const { page } = admin;
    await admin.visit('/api-keys');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('soon over').getByText('Expires soon').waitFor();
    await row('long').getByText('Active').waitFor();
    await page.getByLabel('Name').fill('SOON');
    await page.keyboard.press('Enter');
    await row('long').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke soon over' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “soon over”' });
    await dialog.getByText('The key is refused within 2 seconds').waitFor();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await row('soon over').getByText('Revoked').waitFor();
    expect((await new ApiClient(system.api.baseUrl, body.key).call('GET', '/v1/me')).status).toBe(401);
  });
});

it('shows the API reference at /docs without requests to other hosts and without violations of the policy', async () => {
  const reference = await BrowserSession.open(system.api.baseUrl);
  await reference.visit('/docs');
  await reference.page.getByRole('heading', { name: 'Payment notification dispatcher' }).first().waitFor();
  await reference.page.getByRole('heading', { name: 'Announce a status change' }).first().waitFor();
  await reference.screenshot('api-reference');
  expect(await reference.page.title()).toContain('Payment notification dispatcher');
  // `close` fails when the page requested another host or logged an error, such as a refused script.
  await reference.close();
});
