import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBasic, verifyNotification } from '#libs/signing';
import { BrowserSession } from '#test/support/browser-session';
import { startConsumer, type ConsumerServer, type ReceivedRequest } from '#test/support/consumer-server';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { makeAuthority, makeCertificate } from '../../libs/egress/src/testing/certificates.js';

const COMPANY = 'NEWCOMER-1';
const COMMON_NAME = 'the-bank-to-newcomer';
const client = makeCertificate('DNS:the-bank', 90, {
  issuer: makeAuthority('authority-of-newcomer', 100),
  usage: 'clientAuth',
  commonName: COMMON_NAME,
});

let system: System;
let server: ConsumerServer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.shared(1);
  server = await startConsumer();
  browser = await BrowserSession.open(system.api.baseUrl);
});
afterAll(() => Promise.all([browser.close(), server.close(), system.stop()]));

/** Verifies a request as the customer does, with its secret. */
function verdict({ headers, body }: ReceivedRequest, secret: string): string {
  if (!verifyBasic(headers.authorization, 'the-bank', 'open sesame')) return 'not the bank';
  const verification = verifyNotification({
    secret,
    url: server.url,
    rawBody: body,
    timestamp: headers['x-timestamp']?.toString(),
    signature: headers['x-signature']?.toString(),
    unit: 'seconds',
    nowMs: Date.now(),
  });
  return verification.ok ? 'verified' : verification.fault;
}

const inspect = async (name: string): Promise<void> => {
  await browser.screenshot(name);
  expect(await browser.accessibilityFaults()).toEqual([]);
};

it('onboards a consumer from its name to its first verified delivery', async () => {
  const { page } = browser;
  const next = (): Promise<void> => page.getByRole('button', { name: 'Next' }).click();
  await browser.signIn(system.adminKey, '/consumers');
  await page.getByRole('link', { name: 'Onboard a consumer' }).click();

  await next();
  await page.getByText('Enter a name').waitFor();
  await page.getByLabel('Name', { exact: false }).first().fill('Newcomer Ltd');
  await page.getByRole('textbox', { name: 'Contact' }).fill('night@newcomer.example');
  await inspect('onboarding-who');
  await next();
  await page.getByRole('textbox', { name: 'URL' }).fill(server.url);
  await page.getByRole('region', { name: 'Request and signature' }).waitFor();
  await inspect('onboarding-where');
  await next();
  await page.getByText('No company IDs').waitFor();
  await page.getByRole('combobox', { name: 'ACH company IDs' }).fill(COMPANY);
  await page.keyboard.press('Enter');
  await page.getByText('No company IDs').waitFor({ state: 'hidden' });
  await inspect('onboarding-payments');
  await next();
  await inspect('onboarding-limits');
  await next();
  const userName = page.getByRole('textbox', { name: 'User name' });
  await userName.waitFor();
  // Nothing was typed, so no field is invalid.
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
  await next();
  await page.getByText('Enter a user name').waitFor();
  await userName.fill('the-bank');
  await page.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await page.getByRole('textbox', { name: 'Client certificate' }).fill(client.cert);
  await next();
  await page.getByText('Enter the certificate and its key together').waitFor();
  await page.getByLabel('Private key of the certificate').fill(client.key);
  await inspect('onboarding-credentials');
  await next();
  await page.getByText('A client certificate is presented.', { exact: false }).waitFor();
  await inspect('onboarding-review');
  expect(server.requests).toHaveLength(0);
  await page.getByRole('button', { name: 'Register paused' }).click();

  const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText();
  expect(secret).toMatch(/^\S{40,}$/);
  const accepted = await system.client.accept(achChange(COMPANY, 'FIRST-1'));
  expect(await system.client.deliveryOf(accepted)).toMatchObject({ state: 'held', holdReason: 'paused' });
  const goLive = page.getByRole('button', { name: 'Go live' });
  expect(await goLive.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'I have stored the secret or handed it over' }).check();
  server.behave(() => ({ status: 401, body: 'who are you?' }));
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Not acknowledged', { exact: true }).waitFor();
  await page.getByText('The consumer answered “who are you?”.', { exact: false }).waitFor();
  expect(await page.getByText(/send a test delivery/i).count()).toBe(0);
  await page.getByText('No test was acknowledged yet.', { exact: false }).waitFor();
  server.behave((request) => ({ status: verdict(request, secret) === 'verified' ? 204 : 401 }));
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Acknowledged', { exact: true }).waitFor();
  await inspect('onboarding-tested');
  const sample: { notificationId: string } = JSON.parse(server.requests.at(-1)?.body ?? '');
  expect(sample.notificationId).toMatch(/^TEST-/);

  expect(server.requests).toHaveLength(2);
  await goLive.click();
  await page.getByRole('heading', { name: 'Newcomer Ltd', exact: true }).waitFor();
  expect((await page.content()).includes(secret)).toBe(false);
  await page.getByRole('tab', { name: 'Credentials' }).click();
  await page.getByText(COMMON_NAME, { exact: false }).first().waitFor();
  await system.client.waitForState(accepted, 'delivered');
  const [first] = server.requests.slice(2);
  if (first === undefined) throw new Error('Nothing was delivered');
  expect(verdict(first, secret)).toBe('verified');
  expect(JSON.parse(first.body)).toMatchObject({ notificationId: accepted.notificationId });

  await browser.visit('/payments?q=FIRST-1');
  await page.getByRole('heading', { name: 'ACH payment FIRST-1' }).waitFor();
  const consumers = page.getByRole('table', { name: 'Consumers of this payment' });
  await consumers.getByRole('cell', { name: '#1' }).waitFor();
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  await browser.screenshot('payment');
});

it('shows a refusal of the api at the invalid field of the onboarding', async () => {
  const { page } = browser;
  await browser.visit('/consumers/new');
  const next = (): Promise<void> => page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Elsewhere Inc');
  await next();
  await page.getByRole('textbox', { name: 'URL' }).fill('http://user:secret@127.0.0.1/hook');
  await next();
  await next();
  await next();
  await page.getByRole('textbox', { name: 'User name' }).fill('the-bank');
  await page.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await next();
  await page.getByRole('button', { name: 'Register paused' }).click();
  await page.getByText('Not registered', { exact: true }).waitFor();
  const url = page.getByRole('textbox', { name: 'URL' });
  await url.waitFor();
  expect(await url.getAttribute('aria-invalid')).toBe('true');
});

it('a consumer stays paused until a person clicks “Go live” on its page', async () => {
  const { page } = browser;
  const { id } = await system.client.registerConsumer({
    name: 'Patient GmbH',
    url: server.url,
    eventTypes: ['ach.status'],
    achCompanyIds: ['PATIENT-1'],
    credentials: { username: 'the-bank', password: 'open sesame' },
    paused: true,
  });
  server.behave(() => ({}));
  await browser.visit(`/consumers/${id}`);
  await page.getByText('Not live yet', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  await inspect('not-live-yet');
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click();
  await page.getByText('Notifications are sent from now on.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await system.client.consumer(id)).toMatchObject({ state: 'active' });
});

describe('settings and keys of a consumer', () => {
  let boltId: string;
  let operator: BrowserSession;
  beforeAll(async () => {
    ({ id: boltId } = await system.client.registerConsumer({
      name: 'Bolt',
      url: 'https://consumer.example/hook',
      contact: 'ops@acme.example',
      maxPerSecond: 5,
      eventTypes: ['ach.status'],
      credentials: { username: 'bank', password: 'a-password-of-the-test' },
    }));
    operator = await BrowserSession.openAs(system, 'operator', { path: `/consumers/${boltId}?tab=settings` });
  });
  afterAll(() => operator.close());

  it('clears an optional setting of a consumer', async () => {
    const { page } = operator;
    await page.getByRole('button', { name: 'Change settings' }).click();
    await page.getByRole('textbox', { name: 'Contact' }).fill('');
    await page.getByRole('textbox', { name: 'Max. requests per second' }).fill('');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const changed = page.getByRole('dialog').getByRole('row', { name: 'Contact' }).getByRole('cell');
    await changed.first().waitFor();
    expect(await changed.allInnerTexts()).toEqual(['Contact', 'ops@acme.example', 'No contact']);
    expect(await operator.accessibilityFaults()).toEqual([]);
    await operator.screenshot('settings-changes');
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByRole('button', { name: 'Change settings' }).waitFor();
    const { body } = await system.client.call('GET', `/v1/consumers/${boltId}`);
    expect(body).toMatchObject({ contact: null, maxPerSecond: null });
    await operator.screenshot('settings');
  });

  it('lets an operator revoke a key of the consumer', async () => {
    const { page } = operator;
    await system.client.call('POST', `/v1/consumers/${boltId}/keys`, { name: 'lost' });
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Revoke lost' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “lost”' });
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key lost is revoked.').waitFor();
    await page.getByRole('button', { name: 'Revoke lost' }).waitFor({ state: 'detached' });
    const { body } = await system.client.call('GET', `/v1/consumers/${boltId}/keys`);
    expect(body).toMatchObject({ apiKeys: [{ name: 'lost', revokedAt: expect.any(String) }] });
  });
});
