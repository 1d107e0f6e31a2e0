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
    await page.getByText('state=bogus is not a known filter value and was ignored.').waitFor();
    await page.getByText('Rows 1–50').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('state=bogus').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('a list shows and reads every time in the chosen zone, UTC or local, also after a reload', async () => {
    const { page } = browser;
    await browser.visit('/deliveries?from=2025-11-22T03:00:00Z');
    const from = page.getByLabel('Accepted from');
    expect(await from.inputValue()).toBe('2025-11-22T03:00');
    await page.getByText('= 21 Nov 2025, 22:00:00 New York').waitFor();
    const row = page.getByRole('row').nth(1).locator('time').last();
    const inUtc = await row.innerText();
    await page.getByRole('button', { name: /^Times in UTC/ }).click();
    await page.getByLabel('Accepted from (New York)').waitFor();
    expect(await from.inputValue()).toBe('2025-11-21T22:00');
    expect(await row.innerText()).not.toBe(inUtc);
    expect(await row.getAttribute('title')).toMatch(/ UTC = .* New York$/);
    await page.reload();
    await page.getByRole('button', { name: /^Times in New York/ }).click();
    await page.getByLabel('Accepted from (UTC)').waitFor();
    // The zone changes the view, not the filter.
    expect(new URL(page.url()).search).toBe('?from=2025-11-22T03:00:00Z');
  });

  it('a list gets a preset time range in two clicks', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Time range' }).click();
    await page.getByRole('menuitem', { name: /night 22:00–06:00$/ }).click();
    await page.waitForURL(/from=.*T22%3A00%3A00Z&to=.*T06%3A00%3A00Z/);
    const before = page.getByLabel('Accepted before (UTC)');
    const end = await waitUntil(() => before.inputValue(), { what: 'the end of the night in its field' });
    expect(end).toMatch(/T06:00$/);
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
