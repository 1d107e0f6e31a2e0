import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHmac } from 'node:crypto';
import { BrowserSession } from '#test/support/browser-session';
import { CountedClicks } from '#test/support/counted-clicks';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const SECRET = 'whsec_test_0123456789';

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.shared(1);
  customer = await Customer.onboard(system.client, { name: 'Meridian Metals', signingSecret: SECRET });
  customer.setSecret(SECRET);
  browser = await BrowserSession.openAs(system, 'operator');
});
afterAll(() => Promise.all([browser.close(), system.stop()]));

it('explains in 6 clicks why a consumer refuses the signatures', async () => {
  const { page } = browser;
  const clicks = new CountedClicks();
  const refused = await Customer.onboard(system.client, {
    name: 'Harbour Freight',
    signingSecret: SECRET,
    // The page shows the last attempt, so only one is made.
    retrySchedule: [3_600],
  });
  refused.setSecret(SECRET);
  refused.behave(() => ({ status: 401, body: 'signature mismatch' }));
  await system.client.accept(achChange(refused.company, 'PAY-REFUSED'));
  await refused.waitForArrivals(1);
  const [{ request } = { request: undefined }] = refused.arrivals;
  const text = `POST${refused.server.url}/${request?.body ?? ''}${String(request?.headers['x-timestamp'])}`;

  await browser.visit('/');
  await clicks.on(page.getByRole('link', { name: 'Consumers', exact: true }));
  await clicks.on(page.getByRole('link', { name: 'Harbour Freight' }));
  const failures = page.getByRole('region', { name: 'Failures and changes' });
  await failures.getByText('The consumer answered “signature mismatch”.', { exact: false }).waitFor();
  await clicks.on(failures.getByRole('link', { name: 'Compare their signature' }));
  await page
    .getByText(
      /^Last attempt: Error response \(HTTP 401\)\. The consumer answered “signature mismatch”\. 401: the consumer refuses the signature\./,
    )
    .waitFor();
  await page.getByText('Account numbers are shown in full. Opening this view is audited.').waitFor();
  // The text of the refused delivery is filled in; only the customer's signature is missing.
  await page.getByLabel('Their signature').fill(createHmac('sha256', SECRET).update(text).digest('hex'));
  await clicks.on(page.getByRole('button', { name: 'Compare signatures' }));
  await page.getByText('The signature does not match. The cause:').waitFor();
  await page.getByText('trailing slash of the URL’s path differs', { exact: false }).waitFor();
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('night-3');

  refused.behave(({ verdict }) => ({ status: verdict === 'verified' ? 200 : 401 }));
  await clicks.on(page.getByRole('button', { name: 'Send a test' }));
  await clicks.on(page.getByRole('button', { name: 'Send test' }));
  await page.getByText('Acknowledged', { exact: true }).waitFor();
  expect(clicks.count).toBe(6);
});

it('explains each difference from a signature that the consumer computed', async () => {
  const { page } = browser;
  const accepted = await system.client.accept(achChange(customer.company, 'PAY-1'));
  await customer.waitForAcknowledged([accepted]);
  const [{ request } = { request: undefined }] = customer.arrivals;
  const { 'x-timestamp': timestamp = '', 'x-signature': sent = '' } = request?.headers ?? {};
  const body = request?.body ?? '';
  const signed = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');

  await browser.visit(`/consumers/${customer.consumerId}?tab=signature`);
  const compare = async (signature: string, theirBody = body): Promise<void> => {
    await page.getByLabel('Their signature').fill(signature);
    await page.getByLabel('Their body').fill(theirBody);
    await page.getByLabel('Their timestamp').fill(String(timestamp));
    await page.getByRole('button', { name: 'Compare signatures' }).click();
  };

  await page.getByRole('button', { name: 'Compare signatures' }).click();
  await page.getByText('Paste the signature that they compute').waitFor();
  await compare('not a signature');
  await page.getByText('must be 64 hexadecimal characters').first().waitFor();

  await compare(String(sent));
  const result = page.getByRole('status').filter({ hasText: 'What was pasted' });
  await result.getByText('The signature matches').waitFor();
  await result.getByText('The body is byte for byte that of notification').waitFor();
  await result.getByRole('link', { name: accepted.notificationId }).waitFor();
  await browser.screenshot('signature-match');
  expect(await browser.accessibilityFaults()).toEqual([]);

  await compare(signed(`POST${customer.server.url}/${body}${String(timestamp)}`).toUpperCase());
  await result.getByText('trailing slash of the URL’s path differs').waitFor();
  await result.getByText('The signature is in upper case').waitFor();

  await compare(String(sent).toUpperCase());
  await result.getByText('The signature is right, but written differently').waitFor();

  const pretty = JSON.stringify(JSON.parse(body), null, 2);
  await compare('0'.repeat(64), pretty);
  await result.getByText('No usual mistake with URL').waitFor();
  await result.getByText('the same JSON, written differently. The first difference is at byte 2').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await waitUntil(() => browser.fitsTheWidth(), { what: 'the signatures to fit a phone' });
  await browser.screenshot('signature-no-match-390');
  await page.setViewportSize({ width: 1280, height: 800 });
  // The matching signature is not on the page.
  const shown = await page.content();
  expect(shown).not.toContain(signed(`POST${customer.server.url}${pretty}${String(timestamp)}`).slice(0, 8));
  expect(shown).not.toContain(SECRET);
});

const deliver = async (paymentId: string): Promise<string | undefined> => {
  const accepted = await system.client.accept(achChange(customer.company, paymentId));
  await system.client.waitForState(accepted, 'delivered');
  return customer.arrivals.find(({ notificationId }) => notificationId === accepted.notificationId)?.verdict;
};

it('schedules a rotation of credentials, and tests the new secret before the rotation, in 7 clicks', async () => {
  const { page } = browser;
  const clicks = new CountedClicks();
  expect(await deliver('BEFORE')).toBe('verified');

  await clicks.on(page.getByRole('link', { name: 'Consumers', exact: true }));
  await clicks.on(page.getByRole('link', { name: 'Meridian Metals' }));
  await clicks.on(page.getByRole('tab', { name: 'Credentials' }));
  await clicks.on(page.getByRole('button', { name: 'Rotate credentials' }));
  const dialog = page.getByRole('dialog', { name: /^Rotate the credentials/ });
  const activateAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);
  await dialog.getByLabel('Effective from').fill(localFieldValue(activateAt));
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('rotation');
  await clicks.on(dialog.getByRole('button', { name: 'Schedule rotation' }));
  await dialog.getByText('Version 2 is scheduled. Effective from', { exact: false }).waitFor();
  const secret = await dialog.getByRole('region', { name: 'Signing secret' }).innerText();
  // Escape must not lose the secret.
  await page.keyboard.press('Escape');
  await dialog.getByRole('region', { name: 'Signing secret' }).waitFor();
  expect(await deliver('STILL-BEFORE')).toBe('verified');

  customer.setSecret(secret);
  customer.behave(({ verdict }) => ({ status: verdict === 'verified' ? 200 : 401 }));
  await clicks.on(dialog.getByRole('button', { name: 'Send test' }));
  await dialog.getByText('Acknowledged', { exact: true }).waitFor();
  await clicks.on(dialog.getByRole('button', { name: 'I have stored the secret. Done' }));
  await dialog.waitFor({ state: 'hidden' });
  expect(clicks.count).toBe(7);
  expect((await page.content()).includes(secret)).toBe(false);
  await browser.screenshot('rotated');

  // The hour is over.
  await runSql(
    system.databaseUrl,
    'update consumer_credentials set activate_at = now() where consumer_id = $1 and version = 2',
    [customer.consumerId],
  );
  expect(await deliver('AFTER')).toBe('verified');
  expect(customer.arrivals.at(-1)?.isAcknowledged).toBe(true);
  await browser.visit(`/consumers/${customer.consumerId}?tab=credentials`);
  const row = (version: number) => page.getByRole('row', { name: new RegExp(`Version ${String(version)}`) });
  await row(2).getByText('Current').waitFor();
  await row(1).getByText('Former').waitFor();
});

const schedule = (): Promise<unknown> =>
  system.client.addCredentials(customer.consumerId, {
    generateSecret: true,
    activateAt: new Date(Date.now() + 3_600_000).toISOString(),
  });

it('shows on-call staff which role rotates credentials, and lets them test the scheduled version', async () => {
  await schedule();
  const other = await BrowserSession.openAs(system, 'oncall', {
    path: `/consumers/${customer.consumerId}?tab=credentials`,
  });
  await other.page.getByText('Changing credentials needs the role operator').waitFor();
  await other.page
    .getByText('the current one, was added by operator. Call operator or another operator.', { exact: false })
    .waitFor();
  expect(await other.accessibilityFaults()).toEqual([]);
  await other.screenshot('credentials-oncall');
  expect(await other.page.getByRole('button', { name: 'Rotate credentials' }).count()).toBe(0);
  await other.page.getByRole('button', { name: 'Test the scheduled version' }).waitFor();
  await other.close();
});

it('deletes a scheduled version of the credentials, and activates another version at once', async () => {
  const { page } = browser;
  await browser.visit(`/consumers/${customer.consumerId}?tab=credentials`);
  await page.getByRole('button', { name: 'Delete version 3' }).click();
  await page.getByRole('button', { name: 'Delete version', exact: true }).click();
  await page.getByRole('button', { name: 'Delete version 3' }).waitFor({ state: 'detached' });
  await schedule();
  await browser.visit(`/consumers/${customer.consumerId}?tab=credentials`);
  await page.getByRole('button', { name: 'Activate now: version 4' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('the customer is ready');
  await page.getByRole('button', { name: 'Activate now', exact: true }).click();
  await page
    .getByRole('row', { name: /Version 4/ })
    .getByText('Current')
    .waitFor();
  await page.getByRole('tab').first().click();
  await page.getByText('“the customer is ready”').waitFor();
  const [current] = await system.client.credentials(customer.consumerId);
  expect(current).toMatchObject({ version: 4, state: 'current' });
  await browser.screenshot('consumer');
});

it('after a rotation at the wrong consumer, its page shows who rotated and why beside the refusals, and restores the former version in 5 clicks', async () => {
  const { page } = browser;
  await system.client.activateCredentials(customer.consumerId, 2);
  await browser.visit(`/consumers/${customer.consumerId}?tab=credentials`);
  await page.getByRole('button', { name: 'Rotate credentials' }).click();
  const rotation = page.getByRole('dialog', { name: /^Rotate the credentials/ });
  await rotation.getByLabel('Now', { exact: true }).click();
  expect(await rotation.getByRole('button', { name: 'Rotate now' }).isDisabled()).toBe(true);
  await rotation.getByLabel('Reason').fill('the yearly rotation');
  await rotation.getByRole('button', { name: 'Rotate now' }).click();
  await rotation.getByText('Version 5 is used from the next attempt on.').waitFor();
  // The customer still has the secret of version 2.
  const accepted = await system.client.accept(achChange(customer.company, 'WRONGLY-ROTATED'));
  await waitUntil(() => customer.arrivals.at(-1)?.isAcknowledged === false, { what: 'a refused delivery' });
  await browser.visit('/');
  const clicks = new CountedClicks();
  await clicks.on(page.getByRole('link', { name: 'Consumers', exact: true }));
  await clicks.on(page.getByRole('link', { name: 'Meridian Metals' }));
  const moments = page.getByRole('region', { name: 'Failures and changes' });
  await moments.getByText(/HTTP 401\): (once|\d+ times)$/).waitFor();
  await moments.getByText('operator added credentials of Meridian Metals, version 5').waitFor();
  await moments.getByText('“the yearly rotation”').waitFor();
  await browser.screenshot('night-13-wrong-rotation');
  await clicks.on(page.getByRole('tab', { name: 'Credentials' }));
  await clicks.on(page.getByRole('button', { name: 'Restore: version 2' }));
  const dialog = page.getByRole('dialog', { name: 'Restore: version 2' });
  await dialog.getByText('including deliveries that already wait.', { exact: false }).waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('rotated at the wrong consumer');
  await clicks.on(dialog.getByRole('button', { name: 'Restore' }));
  await system.client.waitForState(accepted, 'delivered');
  expect(customer.arrivals.at(-1)).toMatchObject({ verdict: 'verified', isAcknowledged: true });
  expect(clicks.count).toBe(5);
});

/** The value of a datetime-local field. */
const localFieldValue = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
