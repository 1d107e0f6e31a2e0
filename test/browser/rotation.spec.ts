import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { CountedClicks } from '#test/support/counted-clicks';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.shared(1);
  customer = await Customer.onboard(system.client, { name: 'Meridian Metals' });
  browser = await BrowserSession.openAs(system, 'operator');
});
afterAll(() => Promise.all([browser.close(), system.stop()]));

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
  await other.page.getByText('Rotating needs the role operator.', { exact: false }).waitFor();
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

/** The value of a datetime-local field. */
const localFieldValue = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
