import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client);
  browser = await BrowserSession.open(system.api.baseUrl);
});
afterAll(() => Promise.all([browser.close(), system.stop()]));

const deliver = async (paymentId: string): Promise<string | undefined> => {
  const accepted = await system.client.accept(achChange(customer.company, paymentId));
  await system.client.waitForState(accepted, 'delivered');
  return customer.arrivals.find(({ notificationId }) => notificationId === accepted.notificationId)?.verdict;
};

it('cuts a consumer over to a new secret, tried before, and back', async () => {
  const { page } = browser;
  await browser.signIn(system.adminKey, `/consumers/${customer.consumerId}?tab=credentials`);
  expect(await deliver('BEFORE')).toBe('verified');

  await page.getByRole('button', { name: 'Rotate the credentials' }).click();
  const dialog = page.getByRole('dialog', { name: /^Rotate the credentials/ });
  await dialog.getByRole('button', { name: 'Keep it for then' }).click();
  await dialog.getByText('Choose a time').waitFor();
  await dialog.getByLabel('Comes into force').fill(onLocalClock(new Date(Date.now() + 3_600_000)));
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('rotation');
  await dialog.getByRole('button', { name: 'Keep it for then' }).click();
  const secret = await dialog.getByRole('region', { name: 'Signing secret' }).innerText();
  // A slip must not lose it.
  await page.keyboard.press('Escape');
  await dialog.getByRole('region', { name: 'Signing secret' }).waitFor();
  expect(await deliver('STILL-BEFORE')).toBe('verified');

  customer.agreeOn(secret);
  customer.behave(({ verdict }) => ({ status: verdict === 'verified' ? 200 : 401 }));
  await dialog.getByRole('button', { name: 'Send the test now' }).click();
  await dialog.getByText('The consumer acknowledged it').waitFor();
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('rotated');
  await dialog.getByRole('button', { name: 'Done, I have kept the secret' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect((await page.content()).includes(secret)).toBe(false);

  await page.getByRole('button', { name: 'Activate now: version 2' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('the customer is ready');
  await page.getByRole('button', { name: 'Activate now', exact: true }).click();
  await page
    .getByRole('row', { name: /Version 2/ })
    .getByText('In force')
    .waitFor();
  expect(await deliver('AFTER')).toBe('verified');
  expect(customer.arrivals.at(-1)?.isAcknowledged).toBe(true);

  await browser.visit(`/consumers/${customer.consumerId}`);
  await page.getByText('admin put credentials into force').waitFor();
  await page.getByText('“the customer is ready”').waitFor();
  await page.getByText(/deliveries delivered, /).waitFor();
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('consumer');
});

/** As the browser's field wants it. */
const onLocalClock = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
