import { readFile } from 'node:fs/promises';
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
  browser = await BrowserSession.openAs(system, 'oncall', { name: 'olga' });
});
afterAll(() => Promise.all([browser.close(), system.stop()]));

const button = (name: string) => browser.page.getByRole('button', { name, exact: true });

it('pauses a consumer until a time in 4 clicks, and resumes it automatically', async () => {
  const { page } = browser;
  const clicks = new CountedClicks();
  await clicks.on(page.getByRole('link', { name: 'Consumers', exact: true }));
  await clicks.on(page.getByRole('link', { name: 'Cedar Mills' }));
  await clicks.on(button('Pause'));
  const until = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);
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

  // The hour is over.
  await runSql(system.databaseUrl, `update consumers set paused_until = now() where id = $1`, [
    customer.consumerId,
  ]);
  await customer.waitForAcknowledged([accepted]);
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

it('pauses sending to all consumers with a reason, shows who paused it and why, and resumes', async () => {
  const { page } = browser;
  await browser.visit('/');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Pause sending' }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause sending to all consumers' });
  await pausing.getByLabel('Reason').fill('the network is being moved');
  expect(await pausing.getByRole('button', { name: 'Pause sending' }).isDisabled()).toBe(true);
  await pausing.getByLabel('Type PAUSE to confirm').fill('PAUSE');
  await pausing.getByRole('button', { name: 'Pause sending' }).click();
  const panel = page.getByRole('region', { name: 'Sending' });
  await panel.getByText('the network is being moved').waitFor();
  expect(await panel.innerText()).toContain('by olga');
  await browser.screenshot('overview-paused');
  expect(await browser.accessibilityFaults()).toEqual([]);

  await panel.getByRole('button', { name: 'Resume sending' }).click();
  const resuming = page.getByRole('dialog', { name: 'Resume sending' });
  await resuming.getByLabel('Reason').fill('it has been moved');
  await resuming.getByRole('button', { name: 'Resume sending' }).click();
  await page.getByRole('main').getByText('Sending is on').waitFor();
});

it('an admin finds in the audit log who did what and why, filters it, and exports what was filtered', async () => {
  const admin = await BrowserSession.open(system.api.baseUrl);
  const { page } = admin;
  const entries = (name = '') => page.getByRole('table', { name: 'Entries' }).getByRole('row', { name });
  await system.client.call('PATCH', `/v1/consumers/${customer.consumerId}`, { timeoutMs: 5_000 });
  await admin.signIn(system.adminKey, '/audit');
  const change = entries('admin changed the settings of Cedar Mills');
  await change.getByRole('button', { name: 'Details' }).click();
  const row = page
    .getByRole('table', { name: 'Changed settings' })
    .getByRole('row', { name: 'Timeout (ms)' });
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Timeout (ms)', '10000', '5000']);
  await admin.screenshot('audit');
  expect(await admin.accessibilityFaults()).toEqual([]);

  const before = (await entries().allInnerTexts()).length;
  await system.client.setSending('pause');
  await system.client.setSending('resume');
  const more = page.getByRole('button', { name: '2 newer: show' });
  await more.waitFor();
  expect((await entries().allInnerTexts()).length).toBe(before);
  await more.click();
  await entries('admin paused sending to all consumers an incident').first().waitFor();
  await more.waitFor({ state: 'hidden' });
  expect(await page.getByRole('button', { name: 'Details', expanded: true }).count()).toBe(1);

  await admin.addFilter('Action');
  await page.getByRole('combobox', { name: 'Action' }).fill('paused a');
  await page.getByRole('option', { name: 'Paused a consumer' }).click();
  await admin.addFilter('Target');
  await page.getByRole('option', { name: 'Cedar Mills' }).click();
  await page.waitForURL('**/audit?action=consumer.paused&target=*');
  expect(new URL(page.url()).searchParams.get('target')).toBe(`consumer:${customer.consumerId}`);
  await change.waitFor({ state: 'detached' });
  await entries('olga paused Cedar Mills').first().waitFor();
  for (const [format, file] of [
    ['CSV', 'audit.csv'],
    ['NDJSON', 'audit.ndjson'],
  ] as const) {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: `Export ${format}` }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(file);
    const text = await readFile(await saved.path(), 'utf8');
    expect(text).toContain('ticket 4711');
    expect(text).not.toContain('consumer.changed');
  }
  await page.getByLabel('Who').fill('unknown');
  await page.keyboard.press('Enter');
  await page.getByText('No entry matches').waitFor();
  await admin.close();
});

/** The value of a datetime-local field. */
const localFieldValue = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
