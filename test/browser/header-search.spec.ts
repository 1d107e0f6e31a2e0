import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { System } from '#test/support/system';

const TRACE = '021000021234567';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  await system.client.registerConsumer({
    name: 'Northwind Traders',
    url: 'https://consumer.example/hook',
    eventTypes: ['ach.status'],
    allPayments: true,
    credentials: { username: 'bank', password: 'secret' },
  });
  const withTrace = (transactionId: string, traceNumber: string) => {
    const change = achExample({ transactionId });
    return { ...change, data: { achEventInfo: { ...change.data.achEventInfo, traceNumber } } };
  };
  await system.client.acceptAll([
    withTrace('TX-1', TRACE),
    withTrace('TX-2', 'shared'),
    withTrace('TX-3', 'shared'),
  ]);
});
afterAll(() => system.stop());

describe.each([
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)('search in the header, $width px wide,', (look) => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl, look);
    await browser.signIn(system.adminKey);
  });
  afterAll(() => browser.close());

  it('the search opens the payment of a trace number with the keyboard only', async () => {
    const { page } = browser;
    await page.keyboard.press('Control+k');
    await browser.waitForFocus(page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox'));
    await page.keyboard.type(TRACE);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ACH payment TX-1', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/payments/ach/TX-1');
  });

  it('the search lists several hits, and names the searched fields when there are none', async () => {
    const { page } = browser;
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const field = dialog.getByRole('searchbox', { name: 'Any id, or a name' });
    await field.fill('nothing at all');
    await page.keyboard.press('Enter');
    await dialog.getByText('Nothing found for “nothing at all”. Searched: payment,').waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await field.fill('shared');
    await page.keyboard.press('Enter');
    await dialog.getByText('2 hits').waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await browser.screenshot(`search-${String(look.width)}`);
    await dialog.getByRole('link', { name: 'ACH payment TX-2' }).click();
    await page.getByRole('heading', { name: 'ACH payment TX-2', level: 1 }).waitFor();
  });

  it('the search finds a consumer by the beginning of its name', async () => {
    const { page } = browser;
    await page.keyboard.press('/');
    await browser.waitForFocus(page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox'));
    await page.keyboard.type('northw');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Northwind Traders', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/consumers\//);
  });
});
