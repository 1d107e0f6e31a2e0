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
  customer = await Customer.onboard(system.client, { name: 'Cedar Mills' });
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name: 'olga',
    roles: ['oncall'],
  });
  browser = await BrowserSession.open(system.api.baseUrl);
  await browser.signIn(body.key);
});
afterAll(() => Promise.all([browser.close(), system.stop()]));

const button = (name: string) => browser.page.getByRole('button', { name, exact: true });

it('pauses a consumer until a time in 4 clicks, and resumes it automatically', async () => {
  const { page } = browser;
  const clicks = new CountedClicks();
  await clicks.on(page.getByRole('link', { name: 'Consumers', exact: true }));
  await clicks.on(page.getByRole('link', { name: 'Cedar Mills' }));
  await clicks.on(button('Pause'));
  const until = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 8_000);
  await page.getByLabel('Resume automatically at').fill(localFieldValue(until));
  await page.getByRole('textbox', { name: 'Reason' }).fill('a new data centre, ticket 4711');
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('pause-until');
  await clicks.on(button('Pause until then'));
  await page
    .getByRole('alert')
    .filter({ hasText: /^Paused until / })
    .waitFor();
  expect(clicks.count).toBe(4);
  expect(await system.client.consumer(customer.consumerId)).toMatchObject({
    state: 'paused',
    pausedUntil: until.toISOString(),
    pauseReason: 'a new data centre, ticket 4711',
  });
  const accepted = await system.client.accept(achChange(customer.company, 'MEANWHILE'));
  expect(await system.client.deliveryOf(accepted)).toMatchObject({ state: 'held', holdReason: 'paused' });
  expect(customer.arrivals).toHaveLength(0);

  await customer.waitForAcknowledged([accepted]);
  expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
  await button('Pause').waitFor();
  await page.getByText('“The pause has reached its planned end.”').waitFor();
  expect(await page.getByText(/^Paused until /).count()).toBe(0);
});

it('shows the end of a pause on the page of the consumer and in the list, and resumes before that time', async () => {
  const { page } = browser;
  await browser.visit(`/consumers/${customer.consumerId}`);
  await button('Pause').click();
  await button('1 hour').click();
  await button('Until resumed').click();
  await button('Pause until resumed').waitFor();
  await button('Until 03:00 UTC').click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('maintenance');
  await button('Pause until then').click();
  await page
    .getByText(/^Paused until .*03:00/)
    .first()
    .waitFor();
  expect(await browser.accessibilityFaults()).toEqual([]);
  await browser.screenshot('paused-until');
  await browser.visit('/consumers');
  await page
    .getByText(/Paused until .*03:00/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Cedar Mills' }).click();
  await button('Resume').click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('finished early');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await button('Pause').waitFor();
  expect(await system.client.consumer(customer.consumerId)).toMatchObject({
    state: 'active',
    pausedUntil: null,
  });
});

it('offers “Try now” instead of “Resume” for a consumer that is down', async () => {
  const { page } = browser;
  await runSql(
    system.databaseUrl,
    `update consumer_runtime set failures = 10, first_failure_at = now(), circuit_opened_at = now(),
       failed_probes = 1, next_probe_at = now() + interval '1 hour' where consumer_id = $1`,
    [customer.consumerId],
  );
  const accepted = await system.client.accept(achChange(customer.company, 'DOWN-1'));
  await browser.visit(`/consumers/${customer.consumerId}`);
  await button('Try now').waitFor();
  expect(await button('Resume').count()).toBe(0);
  await browser.screenshot('try-now');
  await button('Try now').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Try now' }).click();
  await customer.waitForAcknowledged([accepted]);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button('Try now').waitFor({ state: 'detached' });
  expect(await system.client.consumer(customer.consumerId)).toMatchObject({ circuit: null });
});

/** The value of a datetime-local field. */
const localFieldValue = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
