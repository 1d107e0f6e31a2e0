import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client';
import { BrowserSession } from '#test/support/browser-session';
import { System } from '#test/support/system';

let system: System;
let consumerId: string;
beforeAll(async () => {
  system = await System.shared(0);
  const { id } = await system.client.registerConsumer({
    name: 'Alder Works',
    url: 'https://consumer.example/hook',
    eventTypes: ['ach.status'],
    credentials: { username: 'bank', password: 'secret' },
  });
  consumerId = id;
  await system.client.call('POST', `/v1/consumers/${id}/pause`, { reason: 'they asked us to wait' });
  await system.client.call('PATCH', `/v1/consumers/${id}`, { timeoutMs: 5_000, notes: 'Calls back by 9' });
});
afterAll(() => system.stop());

let browser: BrowserSession;
beforeEach(async () => {
  browser = await BrowserSession.open(system.api.baseUrl);
});
afterEach(() => browser.close());

describe('audit log', () => {
  const entries = () => browser.page.getByRole('list', { name: 'Entries' }).getByRole('listitem');

  it('shows audit entries as sentences, with the changed settings on demand', async () => {
    await browser.signIn(system.adminKey, '/audit');
    await entries().filter({ hasText: 'admin paused Alder Works: they asked us to wait' }).waitFor();
    const change = entries().filter({ hasText: 'admin changed the settings of Alder Works' });
    await change.getByRole('button', { name: 'Details' }).click();
    const row = change.getByRole('row', { name: 'Timeout (ms)' });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['10000', '5000']);
    expect(await change.getByRole('row').count()).toBe(3);
    await change.getByRole('link', { name: 'Alder Works', exact: true }).click();
    await browser.page.waitForURL(`**/consumers/${consumerId}`);
  });

  it('keeps the filters of the audit log in the URL', async () => {
    await browser.signIn(system.adminKey, '/audit');
    const { page } = browser;
    await page.getByRole('combobox', { name: 'Action' }).fill('paused a');
    await page.getByRole('option', { name: 'Paused a consumer' }).click();
    await page.getByRole('combobox', { name: 'Target' }).click();
    await page.getByRole('option', { name: 'Alder Works' }).click();
    await page.waitForURL('**/audit?action=consumer.paused&target=*');
    expect(new URL(page.url()).searchParams.get('target')).toBe(`consumer:${consumerId}`);
    await entries().nth(1).waitFor({ state: 'detached' });
    expect(await entries().first().innerText()).toContain('admin paused Alder Works');
    await page.getByLabel('Who').fill('unknown');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches').waitFor();
  });

  it('exports the filtered audit log as CSV and NDJSON', async () => {
    const { page } = browser;
    await browser.signIn(system.adminKey, '/audit?action=consumer.paused');
    await entries().filter({ hasText: 'admin paused Alder Works' }).waitFor();
    for (const [format, file] of [
      ['CSV', 'audit.csv'],
      ['NDJSON', 'audit.ndjson'],
    ] as const) {
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: `Export ${format}` }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe(file);
      const text = await readFile(await saved.path(), 'utf8');
      expect(text).toContain('they asked us to wait');
      expect(text).not.toContain('consumer.changed');
    }
    await page.getByLabel('Who').fill('DMI');
    await page.waitForURL('**actor=DMI');
    await entries().filter({ hasText: 'admin paused Alder Works' }).waitFor();
  });

  it('counts new audit entries, and shows them only on request', async () => {
    await browser.signIn(system.adminKey, '/audit');
    const { page } = browser;
    await entries().first().getByRole('button', { name: 'Details' }).click();
    const before = await entries().allInnerTexts();
    await system.client.setSending('pause');
    const more = page.getByRole('button', { name: '1 newer: show' });
    await more.waitFor();
    expect((await entries().allInnerTexts()).length).toBe(before.length);
    await more.click();
    await entries().filter({ hasText: 'admin paused sending to everybody: an incident' }).waitFor();
    await more.waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Details', expanded: true }).count()).toBe(1);
  });
});

describe('API keys', () => {
  it('shows a new API key once, and closes only after a confirmation that the key is stored', async () => {
    await browser.signIn(system.adminKey, '/api-keys');
    const { page } = browser;
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Choose at least one').waitFor();
    await form.getByLabel('Name').fill('night-shift');
    await form.getByRole('checkbox', { name: 'oncall' }).check();
    await form.getByRole('button', { name: 'Create key' }).click();

    const made = page.getByRole('dialog', { name: 'Key “night-shift” created' });
    const key = await made.getByRole('region', { name: 'API key' }).innerText();
    expect(await browser.accessibilityFaults()).toEqual([]);
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
    await browser.signIn(system.adminKey, '/api-keys');
    const { page } = browser;
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

describe('settings and keys of a consumer', () => {
  let boltId: string;
  let operatorKey: string;
  beforeAll(async () => {
    ({ id: boltId } = await system.client.registerConsumer({
      name: 'Bolt',
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
    operatorKey = body.key;
  });

  it('clears an optional setting of a consumer', async () => {
    const { page } = browser;
    await browser.signIn(operatorKey, `/consumers/${boltId}?tab=settings`);
    await page.getByRole('button', { name: 'Change settings' }).click();
    await page.getByRole('textbox', { name: 'Contact' }).fill('');
    await page.getByRole('textbox', { name: 'Max. requests per second' }).fill('');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByRole('button', { name: 'Change settings' }).waitFor();
    const { body } = await system.client.call('GET', `/v1/consumers/${boltId}`);
    expect(body).toMatchObject({ contact: null, maxPerSecond: null });
  });

  it('lets an operator revoke a key of the consumer', async () => {
    const { page } = browser;
    await system.client.call('POST', `/v1/consumers/${boltId}/keys`, { name: 'lost' });
    await browser.signIn(operatorKey, `/consumers/${boltId}?tab=keys`);
    await page.getByRole('button', { name: 'Revoke lost' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “lost”' });
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key lost is revoked.').waitFor();
    await page.getByRole('button', { name: 'Revoke lost' }).waitFor({ state: 'detached' });
    const { body } = await system.client.call('GET', `/v1/consumers/${boltId}/keys`);
    expect(body).toMatchObject({ apiKeys: [{ name: 'lost', revokedAt: expect.any(String) }] });
  });
});
