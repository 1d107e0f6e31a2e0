import type { CredentialListDto } from '#apps/api/src/resources/consumers/credentials/credentials.dto';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const NAME = 'Kestrel Freight';
const OTHER = 'Merlin Metals';

const SCREENS = `
  /deliveries /deliveries/ID /replays /endpoint /credentials /notifications /verification /alerts /keys`.split(
  /\s+/,
);

let system: System;
let customer: Customer;
let operator: BrowserSession;
let portal: BrowserSession;
/** All answers of the api to requests of the portal's pages. */
const answers: Promise<string>[] = [];
/** Deliveries that customer and other have, by payment. */
let deadId = '';

beforeAll(async () => {
  system = await System.shared(1);
  const { client } = system;
  let isBroken = true;
  customer = await Customer.onboard(client, {
    name: NAME,
    retrySchedule: [1],
    behaviour: () => (isBroken ? { status: 503 } : {}),
  });
  const other = await Customer.onboard(client, { name: OTHER });
  // A payment of both: the other one is its creditor.
  const shared = achChange(customer.company, 'shared-payment');
  shared.data.achEventInfo.creditor.achCompanyId = other.company;
  await client.accept(shared);
  deadId = await waitUntil(
    async () =>
      (
        await client.call<{ deliveries: { deliveryId: string }[] }>(
          'GET',
          `/v1/deliveries?consumerId=${customer.consumerId}&state=dead`,
        )
      ).body.deliveries[0]?.deliveryId,
    { what: 'a dead delivery' },
  );
  isBroken = false;
  await customer.waitForAcknowledged([await client.accept(achChange(customer.company, 'good-payment'))]);
  operator = await BrowserSession.openAs(system, 'operator', { name: 'olga of the bank' });
  portal = await BrowserSession.open(system.api.baseUrl);
  portal.context.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/v1/')) return;
    answers.push(response.text().catch(() => ''));
  });
});
afterAll(async () => {
  await Promise.all([operator.close(), portal.close()]);
  await system.stop();
});

/** An operator creates a link for a person. @returns the link */
async function createLink(person: string): Promise<string> {
  const { page } = operator;
  await operator.visit(`/consumers/${customer.consumerId}?tab=portal`);
  await page.getByRole('button', { name: 'Create link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Person').fill(person);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByRole('region', { name: 'Sign-in link' }).innerText();
  await dialog.getByRole('button', { name: 'I have stored the sign-in link. Close' }).click();
  return link;
}

/** Words of the dispatcher's inside, which say nothing to a customer. */
const INSIDE = /\b(circuit|held|dead|settled|probe|endpoint|replay|rotat|queued)/i;
const expectWordsOfCustomers = async (): Promise<void> =>
  expect(await portal.page.locator('body').innerText()).not.toMatch(INSIDE);

describe('portal of a consumer’s own people', () => {
  it('a person signs in with a link by one click, sees only the portal, and the link works once', async () => {
    const link = await createLink('kim@kestrel.example');
    const { page } = portal;
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in with the link' }).waitFor();
    expect(page.url()).not.toContain('#');
    await page.getByRole('button', { name: 'Sign in with the link' }).click();
    await page.getByRole('heading', { name: NAME }).waitFor();
    await page.getByText('HTTP 503').first().waitFor();
    await portal.screenshot('portal-overview');
    const screens = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(screens).toEqual([
      'Overview',
      'Deliveries',
      'Sent again',
      'Your address',
      'Credentials',
      'Notifications',
      'Verification',
      'Alerts',
      'API keys',
    ]);
    expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0);
    await portal.visit('/consumers');
    await page.getByRole('heading', { name: NAME }).waitFor();

    const second = await BrowserSession.open(system.api.baseUrl);
    try {
      await second.page.goto(link);
      await second.page.getByRole('button', { name: 'Sign in with the link' }).click();
      await second.page.getByText('Ask the bank for a new one').waitFor();
    } finally {
      await second.close();
    }
  });

  it('a person finds what was missed, resends one delivery, and then all of a period', async () => {
    const { page } = portal;
    await page.getByRole('link', { name: '1', exact: true }).first().click();
    const row = page.getByRole('row', { name: 'shared-payment' });
    await row.getByText('Given up').waitFor();
    await row.getByText('We stopped trying. Resend it.').waitFor();
    await page.getByRole('button', { name: 'Delivery: Given up' }).waitFor();
    await expectWordsOfCustomers();
    await portal.screenshot('portal-deliveries');
    // The trace number of the samples, which both payments have.
    await page.getByLabel('Payment', { exact: true }).fill('021000020000001');
    await row.waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'shared-payment: INITIATED' }).waitFor();
    await page.getByText('What is sent', { exact: true }).waitFor();
    await portal.screenshot('portal-delivery');
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();

    const [missed] = customer.arrivals;
    await customer.waitForAcknowledged([{ notificationId: missed?.notificationId ?? '' }]);
    expect(customer.acknowledged.map(({ paymentId }) => paymentId)).toContain('shared-payment');

    await page.getByRole('link', { name: 'Sent again' }).click();
    await page.getByLabel('Created from').fill('2020-01-01T00:00');
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByRole('button', { name: 'Count' }).click();
    const before = customer.arrivals.length;
    await page.getByRole('button', { name: 'Resend 2 deliveries' }).click();
    await page.getByText('It has begun').waitFor();
    await page.getByRole('row', { name: 'kim@kestrel.example' }).getByText('Finished').waitFor();
    await waitUntil(() => customer.arrivals.length === before + 2, { what: 'both notifications again' });
    await portal.screenshot('portal-replays');
  });

  it('a person sends a test, and changes the secret with a test of the scheduled version first', async () => {
    const { page } = portal;
    await page.getByRole('link', { name: 'Your address' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Acknowledged', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Credentials' }).click();
    await page.getByRole('button', { name: 'Change the credentials' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^At an agreed time/ }).check();
    await dialog.getByLabel('Effective from').fill('2099-01-01T00:00');
    await dialog.getByRole('button', { name: 'Schedule the change' }).click();
    await dialog.getByText('Signing secret: shown only once').waitFor();
    const secret = await dialog.getByRole('region', { name: 'Signing secret' }).innerText();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await waitUntil(
      () => {
        const request = customer.server.requests.at(-1);
        const { 'x-timestamp': timestamp, 'x-signature': signature } = request?.headers ?? {};
        const text = `POST${customer.server.url}${request?.body ?? ''}${String(timestamp)}`;
        return createHmac('sha256', secret).update(text).digest('hex') === signature;
      },
      { what: 'a test that is signed with the scheduled secret' },
    );
    await dialog.getByRole('button', { name: 'I have stored the secret. Done' }).click();
    await page.getByRole('row', { name: 'Version 2' }).getByText('Scheduled').waitFor();
    await page.getByRole('button', { name: 'Activate now: version 2' }).click();
    await dialog.getByRole('button', { name: 'Activate now' }).click();
    await page.getByRole('row', { name: 'Version 2' }).getByText('Current').waitFor();
    await portal.screenshot('portal-credentials');
    const { body } = await system.client.call<CredentialListDto>(
      'GET',
      `/v1/consumers/${customer.consumerId}/credentials`,
    );
    expect(body.credentials[0]).toMatchObject({
      version: 2,
      state: 'current',
      createdBy: 'kim@kestrel.example',
    });
  });

  it('a requested URL is shown to the operator beside the present one, and is used after the approval', async () => {
    const { page } = portal;
    const wanted = `${new URL(customer.server.url).origin}/new-hook`;
    await page.getByRole('link', { name: 'Your address' }).click();
    await page.getByLabel('New address (URL)').fill(wanted);
    await page.getByLabel('Reason').fill('we move');
    await page.getByRole('button', { name: 'Request this address' }).click();
    await page.getByText('Waits for the bank', { exact: true }).waitFor();
    await portal.screenshot('portal-endpoint');

    await operator.visit('/');
    await operator.page.getByText(/^\d+ requested URLs? waits? for an operator$/).waitFor();
    await operator.page.getByRole('link', { name: NAME }).first().click();
    await operator.page.getByText(wanted).waitFor();
    await operator.screenshot('consumer-portal-tab');
    await operator.page.getByRole('button', { name: 'Approve' }).click();
    await operator.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await operator.page.getByText('No request waits.').waitFor();

    await portal.visit('/portal/endpoint');
    await page.getByText('Approved', { exact: true }).waitFor();
    expect((await system.client.call('GET', `/v1/consumers/${customer.consumerId}`)).body).toMatchObject({
      url: wanted,
    });
  });

  it('a person creates and revokes a key, which signs in to the same portal', async () => {
    const { page } = portal;
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('nightly check');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByRole('region', { name: 'API key' }).innerText();
    await dialog.getByRole('button', { name: 'I have stored the key. Close' }).click();
    const byKey = await BrowserSession.open(system.api.baseUrl);
    try {
      await byKey.signIn(key);
      await byKey.page.getByRole('heading', { name: NAME }).waitFor();
    } finally {
      await byKey.close();
    }
    await page.getByRole('button', { name: 'Revoke nightly check' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const rows = await runSql(
      system.databaseUrl,
      `select from api_keys where name = 'nightly check' and revoked_at is not null`,
    );
    expect(rows).toHaveLength(1);
  });

  it.each(SCREENS)(
    'the portal’s screen /portal%s is accessible, has the words of customers, and fits a phone',
    async (path) => {
      await portal.visit(`/portal${path.replace('ID', deadId)}`);
      await portal.page.getByRole('heading', { level: 1 }).waitFor();
      await waitUntil(async () => (await portal.page.getByText('Loading').count()) === 0, {
        what: 'the page to be complete',
      });
      expect(await portal.accessibilityFaults()).toEqual([]);
      await expectWordsOfCustomers();
      await portal.page.setViewportSize({ width: 390, height: 844 });
      await waitUntil(() => portal.fitsTheWidth(), { what: 'the page to fit the width' });
      await portal.screenshot(`portal-phone${path.replaceAll('/', '-').replace('ID', 'id')}`);
      await portal.page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  it('no answer to the portal’s pages names another consumer or the bank’s people', async () => {
    const text = (await Promise.all(answers)).join('\n');
    expect(text).toContain(NAME);
    for (const foreign of [OTHER, 'olga of the bank', 'admin']) expect(text).not.toContain(foreign);
  });

  it('an operator revokes the link, and its session ends', async () => {
    await operator.visit(`/consumers/${customer.consumerId}?tab=portal`);
    await operator.page.getByRole('button', { name: 'Revoke kim@kestrel.example' }).click();
    await operator.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await operator.page.getByRole('row', { name: 'kim@kestrel.example' }).getByText('Revoked').waitFor();
    await waitUntil(async () => (await portal.page.request.get('/v1/me')).status() === 401, {
      what: 'the end of the session',
    });
    await portal.visit('/portal/keys');
    await portal.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(portal.page.url()).toContain('/sign-in');
  });
});
