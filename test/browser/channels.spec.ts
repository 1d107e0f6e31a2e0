import type { ChannelListDto } from '#apps/api/src/resources/channels/channel.dto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { startConsumer, type ConsumerServer } from '#test/support/consumer-server';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

let system: System;
let receiver: ConsumerServer;
let browser: BrowserSession;
beforeAll(async () => {
  [system, receiver] = await Promise.all([System.shared(0), startConsumer()]);
  browser = await BrowserSession.open(system.api.baseUrl);
  await browser.signIn(await keyOf('operator'));
  await browser.visit('/channels');
});
afterAll(async () => {
  await browser.close();
  await Promise.all([receiver.close(), system.stop()]);
});

async function keyOf(role: string): Promise<string> {
  const body = { name: `${role} of channels`, roles: [role] };
  return (await system.client.call<{ key: string }>('POST', '/v1/api-keys', body)).body.key;
}

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
    expect(await stored('Security desk')).toMatchObject({ kind: 'webhook', issueKinds: ['down'] });
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

  it('the screen of the channels is accessible, and fits a phone', async () => {
    const { page } = browser;
    await system.client.call('POST', '/v1/channels', {
      name: 'Chat of the payments team',
      kind: 'slack',
      url: receiver.url,
    });
    await browser.visit('/channels');
    await page.getByText('Chat of the payments team').waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await waitUntil(() => browser.fitsTheWidth(), { what: 'the page to fit the width' });
    await browser.screenshot('channels-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('a viewer sees the channels and cannot change them', async () => {
    const viewer = await BrowserSession.open(system.api.baseUrl);
    try {
      await viewer.signIn(await keyOf('viewer'));
      await viewer.visit('/channels');
      await viewer.page.getByText('Chat of the payments team').waitFor();
      expect(await viewer.page.getByRole('button', { name: /Create|Edit|Remove|test/ }).count()).toBe(0);
    } finally {
      await viewer.close();
    }
  });
});
