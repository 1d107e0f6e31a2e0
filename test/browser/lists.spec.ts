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
  for (let from = 0; from < 60; from += 20) await accept(from, 20);
});
afterAll(() => system.stop());

const accept = (from: number, count: number) =>
  system.client.acceptAll(
    Array.from({ length: count }, (_, index) => achChange(customer.company, `PAY-${String(from + index)}`)),
  );

describe('list', () => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl);
    await browser.signIn(system.adminKey, '/deliveries');
    await browser.page.getByRole('link', { name: 'PAY-59' }).waitFor();
  });
  afterAll(() => browser.close());

  const payments = () => browser.page.locator('tbody tr td:first-child').allInnerTexts();
  const states = async () => new Set(await browser.page.locator('tbody tr td:nth-child(3)').allInnerTexts());

  it('a list shows its range of rows, each at most 40 px high', async () => {
    const { page } = browser;
    await page.getByText('Rows 1–50, more on the next page').waitFor();
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
    expect((await payments())[0]).toBe('PAY-71');
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
    expect(await payments()).toEqual(['PAY-81', 'PAY-80']);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No delivery matches').waitFor();
  });

  it('a list can be paged forward and back', async () => {
    const { page } = browser;
    await browser.visit('/deliveries');
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

  it('a list gets a preset time range in two clicks', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Time range' }).click();
    await page.getByRole('menuitem', { name: /night 22:00–06:00$/ }).click();
    await page.waitForURL(/from=.*T22%3A00%3A00Z&to=.*T06%3A00%3A00Z/);
    expect(await page.getByLabel('Accepted before (UTC)').inputValue()).toMatch(/T06:00$/);
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
