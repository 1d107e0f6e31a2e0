import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKeyCreatedDto } from '#apps/api/src/access/api-key.dto';
import { VERSION } from '#libs/contracts';
import { afterFile } from '#test/support/after-file';
import { BrowserSession } from '#test/support/browser-session';
import { startConsumer } from '#test/support/consumer-server';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const VERIFIER = join(import.meta.dirname, '../../verifiers/typescript/verify-notification.ts');

let system: System;
let customer: Customer;
let key: string;
let session: BrowserSession;

beforeAll(async () => {
  system = await System.shared(1);
  customer = await Customer.onboard(system.client);
  await customer.waitForAcknowledged([
    await system.client.accept(achChange(customer.company, 'keyboard-payment')),
  ]);
  const created = await system.client.call<ApiKeyCreatedDto>(
    'POST',
    `/v1/consumers/${customer.consumerId}/keys`,
    { name: 'a person with a keyboard' },
  );
  ({ key } = created.body);
  session = await BrowserSession.open(system.api.baseUrl);
});
afterAll(async () => {
  await session.close();
  await system.stop();
});

/** The name of the control with the focus. */
const FOCUSED = `(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)
  (document.activeElement)`;

/** Presses Tab until a control has the focus. @returns the names of the controls on the way, and its own */
async function tabTo(name: string): Promise<string[]> {
  const names: string[] = [];
  while (names.at(-1) !== name) {
    if (names.length === 60) throw new Error(`${name} is not reached: ${names.join(', ')}`);
    await session.page.keyboard.press('Tab');
    names.push(await session.page.evaluate<string>(FOCUSED));
  }
  return names;
}

describe('portal with a keyboard alone', () => {
  it('a person signs in: the key has the focus, and the button follows', async () => {
    await session.visit('/sign-in?to=/portal/deliveries');
    await session.waitForFocus(session.page.getByLabel('API key'));
    await session.page.keyboard.type(key);
    expect(await tabTo('Sign in')).toEqual(['Sign in']);
    await session.page.keyboard.press('Enter');
    await session.page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  });

  it('a person opens a delivery and resends it, and the focus follows', async () => {
    const { page } = session;
    await page.getByRole('link', { name: 'keyboard-payment' }).waitFor();
    await tabTo('keyboard-payment');
    await page.keyboard.press('Enter');
    await session.waitForFocus(page.getByRole('heading', { name: 'keyboard-payment: INITIATED' }));
    expect(await tabTo('Resend')).toEqual(['All deliveries', 'Resend']);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo('Resend');
    await page.keyboard.press('Enter');
    await page.getByText('Resent').waitFor();
    await waitUntil(() => customer.arrivals.length === 2, { what: 'the notification again' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await session.waitForFocus(page.getByRole('button', { name: 'Resend' }));
  });
});

describe('pages of the portal', () => {
  it('the navigation ends with the dispatcher’s version', async () => {
    const navigation = session.page.getByRole('navigation');
    await navigation.getByText(`Version ${VERSION}`, { exact: true }).waitFor();
    expect((await navigation.innerText()).trim().endsWith(`Version ${VERSION}`)).toBe(true);
  });

  it('a person reads what a notification contains, and sends the example as a test', async () => {
    const { page } = session;
    await page.getByRole('navigation').getByRole('link', { name: 'Notifications' }).click();
    await page
      .getByRole('table', { name: 'Fields of ach.status' })
      .getByText('data.achEventInfo.amount')
      .waitFor();
    const wire = page.getByRole('region', { name: 'Wire: wire.status' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      wire.getByRole('link', { name: 'JSON Schema of wire.status' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('wire.status.schema.json');
    await wire.getByRole('button', { name: 'Send me this one' }).click();
    await wire.getByText('Acknowledged', { exact: true }).waitFor();
    expect(customer.server.requests.at(-1)?.body).toContain('"eventType":"wire.status"');
    await session.screenshot('portal-notifications');
  });

  it('the overview shows the last days as a chart by hour and a table by day, from the first delivery on', async () => {
    const { page } = session;
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    await page
      .getByRole('figure', { name: 'Delivered and failed attempts by hour' })
      .locator('path')
      .first()
      .waitFor();
    const rows = page.getByRole('table', { name: 'The last 7 days' }).getByRole('row');
    await rows.first().waitFor();
    // The headers and today; at midnight also the day before.
    expect([2, 3]).toContain(await rows.count());
  });

  it('the verification screen shows the last notification, and explains another signature of it', async () => {
    const { page } = session;
    await page.getByRole('link', { name: 'Verification' }).click();
    await page.getByText('The exact string that is signed').waitFor();
    await page.getByRole('textbox', { name: 'Your signature' }).fill('0'.repeat(64));
    await page.getByRole('button', { name: 'Compare signatures' }).click();
    await page.getByText('The signature does not match', { exact: true }).waitFor();
    await session.screenshot('portal-verification');
    await page.getByText('this is what was sent').waitFor();
    const files = page.getByRole('region', { name: 'Code that verifies notifications' }).getByRole('link');
    expect(await files.count()).toBe(9);
    const saving = page.waitForEvent('download');
    await files.filter({ hasText: 'verify-notification.ts' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('verify-notification.ts');
    expect(await readFile(await saved.path(), 'utf8')).toBe(await readFile(VERIFIER, 'utf8'));
    expect(await page.getByText(/customer|the consumer\b/).count()).toBe(0);
  });

  it('a person chooses alerts with a webhook, whose secret is shown once, tries it, and ends them again', async () => {
    const { page } = session;
    const receiver = await startConsumer();
    afterFile(() => receiver.close());
    const { host } = new URL(receiver.url);
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('checkbox', { name: /^Your server/ }).check();
    await page.getByLabel('Webhook URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByRole('dialog').getByRole('region', { name: 'Signing secret' }).waitFor();
    await page.getByRole('button', { name: 'I have stored the signing secret. Close' }).click();
    await page.getByText(`We post each alert to ${host}`).waitFor();
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('Webhook: your server has accepted it.').waitFor();
    expect(receiver.requests.map(({ body }) => body)).toEqual([expect.stringContaining('a test message')]);
    await session.screenshot('portal-alerts');
    await page.getByRole('checkbox', { name: /^Your server/ }).uncheck();
    await page.getByRole('checkbox', { name: `Remove the webhook at ${host}` }).check();
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('We post each alert there as JSON').waitFor();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  });
});
