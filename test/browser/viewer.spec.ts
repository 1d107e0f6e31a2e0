import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AcceptedDto } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const ACCOUNT = '1234567890123456';

let system: System;
let customer: Customer;
let accepted: AcceptedDto;
let unrouted: AcceptedDto;
let viewerKey: string;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client, { name: 'Acme', contact: 'night@customer.example' });
  accepted = await system.client.accept(withAccount(customer.company, 'SEEN-1'));
  unrouted = await system.client.accept(withAccount('UNKNOWN', 'UNROUTED-1'));
  await system.client.waitForState(accepted, 'delivered');
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name: 'vera',
    roles: ['viewer'],
  });
  viewerKey = body.key;
});
afterAll(() => system.stop());

function withAccount(company: string, paymentId: string) {
  const change = achChange(company, paymentId);
  change.data.achEventInfo.debtor.account.accountId = ACCOUNT;
  return change;
}

describe('viewer', () => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl);
    await browser.signIn(viewerKey);
  });
  afterAll(() => browser.close());

  it('shows a viewer the last four characters of an account number, and which role sees it in full', async () => {
    const { page } = browser;
    await browser.visit(`/events/${accepted.notificationId}`);
    await page.getByText('Account numbers are masked to their last four characters').waitFor();
    await page.getByText('Showing them needs the role oncall.').waitFor();
    const envelope = await page.getByRole('region', { name: 'Envelope' }).innerText();
    expect(envelope).not.toContain(ACCOUNT);
    expect(envelope).toContain(ACCOUNT.slice(-4));
    expect(await browser.accessibilityFaults()).toEqual([]);
  });

  it.each([
    { path: () => `/events/${unrouted.notificationId}`, heading: 'ACH event: INITIATED' },
    { path: () => '/payments/ach/UNROUTED-1', heading: 'ACH payment UNROUTED-1' },
    { path: () => '/payments?unrouted=true', heading: 'Payments' },
    { path: () => '/consumers', heading: 'Consumers' },
    { path: () => `/consumers/${customer.consumerId}`, heading: 'Acme' },
    { path: () => `/consumers/${customer.consumerId}?tab=settings`, heading: 'Acme' },
    { path: () => `/consumers/${customer.consumerId}?tab=credentials`, heading: 'Acme' },
    { path: () => `/consumers/${customer.consumerId}?tab=keys`, heading: 'Acme' },
    { path: () => `/consumers/${customer.consumerId}?tab=signature`, heading: 'Acme' },
  ])('offers a viewer no command on $heading', async ({ path, heading }) => {
    const { page } = browser;
    await browser.visit(path());
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await waitUntil(async () => (await page.getByText(/^Loading/).count()) === 0, {
      what: 'the screen to be loaded',
    });
    for (const name of COMMANDS) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
      expect(await page.getByRole('link', { name }).count()).toBe(0);
    }
    expect(await browser.accessibilityFaults()).toEqual([]);
  });

  it('shows a viewer which role the onboarding needs', async () => {
    await browser.visit('/consumers/new');
    await browser.page.getByText('This screen needs the role operator').waitFor();
    expect(await browser.page.getByRole('button', { name: 'Next' }).count()).toBe(0);
  });

  it('refuses commands that a viewer’s session sends directly to the api', async () => {
    const { consumerId } = customer;
    const calls: [string, string, object?][] = [
      ['POST', `/v1/consumers/${consumerId}/pause`, { reason: 'because' }],
      ['POST', `/v1/consumers/${consumerId}/resume`, { reason: 'because' }],
      ['POST', `/v1/consumers/${consumerId}/test`, {}],
      ['POST', `/v1/consumers/${consumerId}/credentials`, { generateSecret: true }],
      ['POST', `/v1/consumers/${consumerId}/keys`, { name: 'mine' }],
      ['PATCH', `/v1/consumers/${consumerId}`, { notes: 'mine' }],
      ['DELETE', `/v1/consumers/${consumerId}`],
      ['POST', `/v1/events/${unrouted.notificationId}/deliveries`, { consumers: [consumerId], reason: 'x' }],
      ['POST', '/v1/consumers', {}],
    ];
    for (const [method, path, body] of calls)
      expect([method, path, await statusOfCall(browser, method, path, body)]).toEqual([method, path, 403]);
    expect(await system.client.consumer(consumerId)).toMatchObject({ state: 'active', notes: null });
  });
});

const COMMANDS = [
  /^Send/,
  /^Show account/,
  /^Pause/,
  /^Resume/,
  /^Remove/,
  /^Change/,
  /^Rotate/,
  /^Create/,
  /^Try/,
  /^Go live/,
  /^Explain/,
  /^Compare/,
  /^Onboard/,
  /^Replay/,
  /^Cancel/,
  /^Settle/,
];

/** Calls the api with the session's cookie, as from the browser's developer tools. */
async function statusOfCall(
  { page }: BrowserSession,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const status: unknown = await page.evaluate(
    `fetch(${JSON.stringify(path)}, { method: ${JSON.stringify(method)}, headers: { 'content-type': 'application/json' }, ${
      body === undefined ? '' : `body: ${JSON.stringify(JSON.stringify(body))}`
    } }).then((response) => response.status)`,
  );
  return Number(status);
}

describe('on-call staff', () => {
  it('shows on-call staff the full account number, which is audited, and sends an unrouted event', async () => {
    const browser = await BrowserSession.open(system.api.baseUrl);
    const { page } = browser;
    const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
      name: 'olga',
      roles: ['oncall'],
    });
    await browser.signIn(body.key, `/events/${accepted.notificationId}`);
    await page.getByText('Opening this view is audited.').waitFor();
    expect(await page.content()).not.toContain(ACCOUNT);
    await page.getByRole('button', { name: 'Show account numbers' }).click();
    await page.getByRole('region', { name: 'Envelope' }).getByText(ACCOUNT).waitFor();
    const log = await system.client.call('GET', '/v1/audit?action=event.envelope-read');
    expect(log.body).toMatchObject({
      entries: [{ actor: 'olga', target: `event:${accepted.notificationId}` }],
    });
    await browser.visit('/payments?unrouted=true');
    await page.getByRole('button', { name: 'Send to a consumer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to a consumer' });
    await dialog.getByRole('combobox', { name: 'Consumer' }).click();
    await page.getByRole('option', { name: 'Acme' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('asked for by the customer');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await browser.screenshot('send-to-consumer');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    // A payment of another company is refused for every role.
    await dialog.getByRole('alert').waitFor();
    await browser.close();
  });
});
