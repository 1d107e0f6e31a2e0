import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const MANY = 1_000;
const BATCH = 500;

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client, { name: 'Northwind Traders' });
  browser = await BrowserSession.open(system.api.baseUrl);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const count = async (state: string): Promise<number | null> => {
  const { body } = await system.client.call<{ matched: number | null }>('POST', '/v1/bulk-actions', {
    action: 'replay',
    filter: { state },
    reason: 'counts',
    dryRun: true,
  });
  return body.matched;
};

/** Makes every delivery dead at once; 2,000 failing attempts would have the same effect and take a minute. */
const MAKE_ALL_DEAD = `select finish_deliveries(array_agg(id), array_agg('dead'::text), array_agg('schedule_used_up'::text),
    array_agg(null::text), array_agg(null::int), array_agg(null::timestamptz)) from pending_deliveries`;

describe('1,000 dead deliveries', () => {
  beforeAll(async () => {
    await system.client.call('POST', '/v1/queue/pause', { reason: 'no attempt yet' });
    for (let from = 0; from < MANY; from += BATCH) {
      const events = Array.from({ length: BATCH }, (_, index) =>
        achChange(customer.company, `PAY-${String(from + index)}`),
      );
      await system.client.call('POST', '/v1/events/batch', { events });
    }
    await runSql(system.databaseUrl, MAKE_ALL_DEAD);
    await system.client.call('POST', '/v1/queue/resume', { reason: 'they are dead' });
  });

  it('replays 1,000 dead deliveries from the filtered list, with a preview and a progress bar', async () => {
    const { page } = browser;
    await browser.signIn(system.adminKey, '/deliveries?state=dead');
    await page.getByRole('button', { name: 'Replay 1,000 deliveries …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bulk replay' });
    await dialog.getByText('1,000 deliveries selected').waitFor();
    // Dead deliveries were not delivered before.
    expect(await dialog.getByText('sent a second time').count()).toBe(0);
    await browser.screenshot('bulk-dialog');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await dialog.getByLabel('Reason').fill('their server is back');
    await dialog.getByLabel('Number of deliveries').fill('1,000');
    await dialog.getByRole('button', { name: 'Replay 1,000 deliveries' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bulk replay' }).waitFor();
    await page.getByRole('progressbar').waitFor();
    await browser.screenshot('bulk-action');
    await page.getByRole('main').getByText('1,000 deliveries processed: 1,000 replayed').waitFor();
    await page.getByRole('main').getByText('Finished', { exact: true }).waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);

    await waitUntil(async () => (await count('delivered')) === MANY, {
      what: 'all 1,000 deliveries to be delivered',
      everyMs: 500,
    });
    await browser.visit('/deliveries?state=dead');
    await page.getByText('No delivery matches').waitFor();
  });

  it('the list of bulk actions shows who started a replay and why', async () => {
    const { page } = browser;
    await browser.visit('/bulk-actions');
    const row = page.getByRole('row').filter({ hasText: 'their server is back' });
    expect(await row.innerText()).toMatch(/Replay.*Finished.*state Dead.*admin/s);
    await browser.screenshot('bulk-actions');
    expect(await browser.accessibilityFaults()).toEqual([]);
    expect(await browser.fitsTheWidth()).toBe(true);
  });
});
