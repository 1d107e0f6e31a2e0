import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

let system: System;
let customer: Customer;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  customer = await Customer.onboard(system.client, { name: 'Acme Tools' });
  await accept(0, 60);
});
afterAll(() => system.stop());

const accept = (from: number, count: number) =>
  system.client.acceptBatch(
    Array.from({ length: count }, (_, index) => achChange(customer.company, `PAY-${String(from + index)}`)),
  );

describe('list', () => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl, { timezone: 'America/New_York' });
    await browser.signIn(system.adminKey, '/deliveries');
    await browser.page.getByText('Rows 1–50, more on the next page').waitFor();
  });
  afterAll(() => browser.close());

  const payments = () => browser.page.locator('tbody tr td:first-child').allInnerTexts();
  const states = async () => new Set(await browser.page.locator('tbody tr td:nth-child(3)').allInnerTexts());

  it('a list shows its range of rows, each at most 40 px high', async () => {
    const { page } = browser;
    const heights = await page
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => Number(row.getBoundingClientRect().height)));
    expect(Math.max(...heights)).toBeLessThanOrEqual(40);
  });

  it('a list counts newer deliveries without moving its rows, and shows them on request', async () => {
    const { page } = browser;
    const before = await payments();
    await accept(60, 12);
    const more = page.getByRole('button', { name: '12 newer: show' });
    await more.waitFor();
    expect(await payments()).toEqual(before);
    await more.click();
    await more.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'PAY-71' }).waitFor();
  });

  it('a list updates its rows in place', async () => {
    const before = await payments();
    expect(await states()).toEqual(new Set(['Scheduled']));
    await accept(72, 3);
    await system.startWorker();
    await waitUntil(async () => [...(await states())].join() === 'Delivered', {
      what: 'every row to show Delivered',
    });
    expect(await payments()).toEqual(before);
  });

  it('a list keeps and marks a row that no longer matches the filter', async () => {
    const { page } = browser;
    await system.client.setSending('pause');
    await accept(80, 2);
    await browser.visit('/deliveries?state=held');
    await page.getByRole('link', { name: 'PAY-81' }).waitFor();
    await system.client.setSending('resume');
    await page.getByText('2 crossed out: no longer match').waitFor();
    expect((await payments()).toSorted()).toEqual(['PAY-80', 'PAY-81']);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No delivery matches').waitFor();
  });

  it('a list can be paged forward and back', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Rows 51–77 (last page)').waitFor();
    expect(new URL(page.url()).searchParams.get('offset')).toBe('50');
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByText('Rows 1–50, more on the next page').waitFor();
  });

  it('a list ignores an unknown filter value in its address, and names the value', async () => {
    const { page } = browser;
    await browser.visit('/deliveries?state=bogus');
    await page.getByRole('button', { name: 'State: bogus', exact: true }).waitFor();
    await page.getByText('state=bogus is not a known filter value and was ignored.').waitFor();
    await page.getByText('Rows 1–50').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('state=bogus').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('a list shows and reads every time in the chosen zone, UTC or local, also after a reload', async () => {
    const { page } = browser;
    await browser.visit('/deliveries?from=2025-11-22T03:00:00Z');
    const chip = (moment: string) =>
      page.getByRole('button', { name: `Accepted from: ${moment}`, exact: true });
    await chip('22 Nov 2025 03:00:00').click();
    const from = page.getByLabel('Accepted from (UTC)');
    expect(await from.inputValue()).toBe('2025-11-22T03:00');
    await page.getByText('= 21 Nov 2025, 22:00:00 New York').waitFor();
    const row = page.getByRole('row').nth(1).locator('time').last();
    expect(await row.innerText()).toMatch(/^now|\d+ (s|min) ago$/);
    expect(await row.getAttribute('title')).toMatch(/ UTC = .* New York$/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Times in UTC/ }).click();
    await chip('21 Nov 2025 22:00:00').click();
    expect(await page.getByLabel('Accepted from (New York)').inputValue()).toBe('2025-11-21T22:00');
    await page.reload();
    await page.getByRole('button', { name: /^Times in New York/ }).click();
    await chip('22 Nov 2025 03:00:00').waitFor();
    // The zone changes the view, not the filter.
    expect(new URL(page.url()).search).toBe('?from=2025-11-22T03:00:00Z');
  });

  it('a filter is added, changed and removed by the keyboard, and is a chip in between', async () => {
    const { page } = browser;
    await browser.visit('/deliveries');
    const add = page.getByRole('button', { name: 'Add filter' });
    await add.press('Enter');
    await page.getByRole('menuitem', { name: 'State', exact: true }).press('Enter');
    const state = page.getByRole('combobox', { name: 'State' });
    await browser.waitForFocus(state);
    await state.press('ArrowDown');
    await state.press('Enter');
    await page.waitForURL('**/deliveries?state=queued');
    await browser.waitForFocus(add);
    await page.getByRole('button', { name: 'State: Scheduled', exact: true }).press('Enter');
    await page.getByRole('option', { name: 'Delivered' }).click();
    await page.waitForURL('**/deliveries?state=delivered');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await page.getByRole('button', { name: 'Remove the filter State' }).press('Enter');
    await page.waitForURL('**/deliveries');
  });

  it('a list fits 1280 px with the menu of each row, hides chosen columns, and keeps them hidden', async () => {
    const { page } = browser;
    const table = page.getByRole('table');
    await page.getByRole('link', { name: 'PAY-81' }).waitFor();
    expect(await table.evaluate(({ parentElement: box }) => box?.scrollWidth === box?.clientWidth)).toBe(
      true,
    );
    await page.getByRole('button', { name: 'Actions for PAY-81 to Acme Tools' }).click();
    await page.getByRole('menuitem', { name: 'Send again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Attempts' }).click();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Last outcome' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Attempts' }).count()).toBe(0);
  });

  it('a list gets a preset time range in two clicks', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Time range' }).click();
    await page.getByRole('menuitem', { name: /night 22:00–06:00$/ }).click();
    await page.waitForURL(/from=.*T22%3A00%3A00Z&to=.*T06%3A00%3A00Z/);
    const before = page.getByRole('button', { name: /^Accepted before: / });
    expect(await before.innerText()).toMatch(/06:00:00$/);
  });
});

it('a list on a phone folds its filters, so that its first row is visible', async () => {
  const browser = await BrowserSession.open(system.api.baseUrl, { width: 390, height: 844 });
  const { page } = browser;
  await browser.signIn(system.adminKey, '/deliveries?eventType=ach.status');
  const first = page.locator('tbody tr').first();
  await first.waitFor();
  const box = await first.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
  await browser.screenshot('lists-folded-390-light');
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await page.getByLabel('Payment', { exact: true }).waitFor();
  await browser.close();
});
