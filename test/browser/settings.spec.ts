import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BrowserSession } from '#test/support/browser-session';
import { System } from '#test/support/system';

let system: System;
let browser: BrowserSession;
let consumerId: string;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  ({ id: consumerId } = await system.client.registerConsumer({
    name: 'Acme',
    url: 'https://consumer.example/hook',
    contact: 'ops@acme.example',
    maxPerSecond: 5,
    eventTypes: ['ach.status'],
    credentials: { username: 'bank', password: 'a-password-of-the-test' },
  }));
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name: 'an operator',
    roles: ['operator'],
  });
  browser = await BrowserSession.open(system.api.baseUrl);
  await browser.signIn(body.key, `/consumers/${consumerId}?tab=settings`);
});
afterAll(() => Promise.all([browser.close(), system.stop()]));

it('clears a setting that need not be set', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Change the settings' }).click();
  await page.getByRole('textbox', { name: 'Whom to call' }).fill('');
  await page.getByRole('textbox', { name: 'Per second, at most' }).fill('');
  await page.getByRole('button', { name: 'Review the changes' }).click();
  await page.getByRole('button', { name: 'Save 2 changes' }).click();
  await page.getByRole('button', { name: 'Change the settings' }).waitFor();
  const { body } = await system.client.call('GET', `/v1/consumers/${consumerId}`);
  expect(body).toMatchObject({ contact: null, maxPerSecond: null });
});

it('lets an operator revoke a key of the consumer', async () => {
  const { page } = browser;
  await system.client.call('POST', `/v1/consumers/${consumerId}/keys`, { name: 'lost' });
  await browser.visit(`/consumers/${consumerId}?tab=keys`);
  await page.getByRole('button', { name: 'Revoke lost' }).click();
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await page.getByText('The key lost has ended.').waitFor();
  await page.getByRole('button', { name: 'Revoke lost' }).waitFor({ state: 'detached' });
  const { body } = await system.client.call('GET', `/v1/consumers/${consumerId}/keys`);
  expect(body).toMatchObject({ apiKeys: [{ name: 'lost', revokedAt: expect.any(String) }] });
});
