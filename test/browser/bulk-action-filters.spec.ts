import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkActionListDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import type { Locator } from 'playwright-core';
import { Client } from 'pg';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const MANY = 105;

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  // Without a worker every delivery stays queued, so the counts are constant.
  system = await System.shared(0);
  customer = await Customer.onboard(system.client, { name: 'Northwind Traders' });
  const events = Array.from({ length: MANY }, (_, n) => achChange(customer.company, `PAY-${String(n)}`));
  await system.client.call('POST', '/v1/events/batch', { events });
  browser = await BrowserSession.open(system.api.baseUrl, { width: 1440 });
  await browser.signIn(system.adminKey);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const show = (): Promise<void> => browser.visit(`/deliveries?consumerId=${customer.consumerId}`);
const field = (label: string): Locator => browser.page.getByLabel(label);
/** The button of a bulk action above the list, with any count. */
const button = (verb: 'Replay' | 'Retry' | 'Cancel'): Locator =>
  browser.page.getByRole('button', { name: new RegExp(`^${verb} .*…$`) });
const dialog = (): Locator => browser.page.getByRole('dialog', { name: /^Bulk / });

async function newestFilter(): Promise<unknown> {
  const { body } = await system.client.call<BulkActionListDto>('GET', '/v1/bulk-actions?limit=1');
  return body.bulkActions[0]?.filter;
}

describe('bulk action on filtered deliveries', () => {
  it('a bulk action uses a payment filter that was typed just before the click, without Enter', async () => {
    const { page } = browser;
    await show();
    await page.getByText('Cancel 105 deliveries …').waitFor();
    await field('Payment').pressSequentially('PAY-7');
    await button('Cancel').click();
    await dialog().getByText('1 delivery selected').waitFor();
    expect(await dialog().innerText()).toContain('payment PAY-7');
    await dialog().getByLabel('Reason').fill('a wrong event');
    await dialog().getByRole('button', { name: 'Cancel 1 delivery' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bulk cancel' }).waitFor();
    expect(await newestFilter()).toEqual({ consumerId: customer.consumerId, paymentId: 'PAY-7' });
  });

  it('a bulk action uses an upper time bound that was typed just before the click', async () => {
    const { page } = browser;
    await show();
    await page.getByRole('button', { name: 'More filters' }).click();
    await field('Accepted from (UTC)').fill('2020-01-01T02:00');
    await field('Accepted before (UTC)').fill('2020-01-01T03:00');
    await page.getByRole('button', { name: 'Replay 0 deliveries …' }).waitFor();
    expect(await button('Replay').isDisabled()).toBe(true);
    expect(new URL(page.url()).searchParams.get('to')).toBe('2020-01-01T03:00:00Z');
    await browser.screenshot('bulk-nothing-matches');
  });

  it('disables bulk actions while the time of a filter is incomplete, and shows the reason', async () => {
    const { page } = browser;
    await show();
    await page.getByRole('button', { name: 'More filters' }).click();
    const to = field('Accepted before (UTC)');
    await to.pressSequentially('11');
    const incomplete = page.getByText('“Accepted before” is not a complete date and time');
    await incomplete.waitFor();
    for (const verb of ['Replay', 'Retry', 'Cancel'] as const)
      expect(await button(verb).isDisabled()).toBe(true);
    await browser.screenshot('bulk-incomplete-time');
    expect(await browser.accessibilityFaults()).toEqual([]);
    // The part of the field with the cursor depends on the typing speed.
    await waitUntil(
      async () => {
        await to.press('Backspace');
        await to.press('ArrowLeft');
        return !(await incomplete.isVisible());
      },
      { what: 'the field to be empty' },
    );
    await page.getByRole('button', { name: 'Replay 105 deliveries …' }).waitFor();
  });

  it('disables bulk actions while the address has an unknown filter value', async () => {
    const { page } = browser;
    await browser.visit(`/deliveries?consumerId=${customer.consumerId}&state=dedd`);
    await page.getByText('The address has an unknown value for “State”').waitFor();
    expect(await button('Replay').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('Filter the list to replay').waitFor();
  });

  it('a bulk action asks again with the new count when more deliveries match than were confirmed', async () => {
    const { page } = browser;
    await browser.visit(`/deliveries?consumerId=${customer.consumerId}&paymentId=PAY-8`);
    await page.getByRole('button', { name: 'Replay 1 delivery …' }).click();
    await dialog().getByText('1 delivery selected').waitFor();
    await dialog().getByLabel('Reason').fill('their server is back');
    await system.client.accept(achChange(customer.company, 'PAY-8', 'PROCESSED'));
    await dialog().getByRole('button', { name: 'Replay 1 delivery' }).click();
    await dialog().getByText('Not started: more deliveries match now').waitFor();
    await dialog().getByText('2 deliveries selected', { exact: true }).waitFor();
    await browser.screenshot('bulk-more-match');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await dialog().getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bulk replay' }).waitFor();
  });

  it('requires typing the count to start a bulk action on more than 100 deliveries', async () => {
    const { page } = browser;
    await show();
    await button('Retry').click();
    const start = dialog().getByRole('button', { name: /^Retry \d+ deliveries$/ });
    await dialog().getByLabel('Reason').fill('send the backlog now');
    const count = /\d+/.exec(await start.innerText())?.[0] ?? '';
    expect(await start.isDisabled()).toBe(true);
    await dialog().getByLabel('Number of deliveries').fill('100');
    expect(await start.isDisabled()).toBe(true);
    await browser.screenshot('bulk-type-the-count');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await dialog().getByLabel('Number of deliveries').fill(count);
    await start.click();
    await page.getByRole('heading', { level: 1, name: 'Bulk retry' }).waitFor();
  });

  it('does not start a bulk action on an unknown number of deliveries', async () => {
    const { page } = browser;
    await show();
    await page.getByRole('button', { name: /^Replay \d+ deliveries …$/ }).waitFor();
    const holder = new Client({ connectionString: system.databaseUrl });
    await holder.connect();
    // The locked history cannot be read, like a count that is too slow.
    try {
      await holder.query('begin');
      await holder.query('lock table deliveries in access exclusive mode');
      await button('Replay').click();
      await dialog().getByText('The deliveries could not be counted in five seconds').waitFor();
      await dialog().getByLabel('Reason').fill('everything');
      expect(await dialog().getByRole('button', { name: 'Replay deliveries' }).isDisabled()).toBe(true);
      await browser.screenshot('bulk-unknown-count');
    } finally {
      await holder.end();
    }
    await dialog().getByRole('button', { name: 'Count again' }).click();
    await dialog()
      .getByRole('button', { name: /^Replay \d+ deliveries$/ })
      .waitFor();
  });

  it('shows bulk actions within the width of a phone', async () => {
    const phone = await BrowserSession.open(system.api.baseUrl, { width: 390 });
    const { page } = phone;
    await phone.signIn(system.adminKey, `/deliveries?consumerId=${customer.consumerId}&paymentId=PAY-9`);
    await page.getByRole('button', { name: 'Bulk actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel 1 delivery …' }).waitFor();
    await phone.screenshot('bulk-buttons-phone');
    expect(await phone.fitsTheWidth()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('Payment').fill('');
    // As long as a person presses: the button must not move meanwhile.
    await page.getByRole('button', { name: 'Bulk actions' }).click({ delay: 300 });
    await page.getByRole('menuitem', { name: /^Cancel \d+ deliveries …$/ }).click();
    await page.getByLabel('Number of deliveries').waitFor();
    await phone.screenshot('bulk-dialog-phone');
    expect(await phone.fitsTheWidth()).toBe(true);
    await phone.close();
  });
});
