import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  await Customer.onboard(system.client, { allPayments: true });
  await system.client.accept(achExample({ transactionId: 'PAY-1' }));
});
afterAll(() => system.stop());

describe.each([
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)('sign-in and deliveries, $width px wide and $colorScheme,', (look) => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl, look);
  });
  afterAll(() => browser.close());

  const faults: string[] = [];
  const inspect = async (name: string): Promise<void> => {
    await browser.screenshot(`${name}-${String(look.width)}-${look.colorScheme}`);
    const found = await browser.accessibilityFaults(look.colorScheme === 'dark' ? 'colours' : 'everything');
    if (!(await browser.fitsTheWidth())) found.push('the page is wider than the window');
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  };

  it('sign-in and deliveries fit the window and are accessible', async () => {
    await browser.visit('/');
    await browser.page.getByLabel('API key').waitFor();
    await inspect('sign-in');
    await browser.typeKey('wrong');
    await browser.page.getByRole('alert').waitFor();
    await inspect('sign-in-refused');
    await browser.typeKey(system.adminKey);
    await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await browser.visit('/deliveries');
    await browser.page.getByRole('link', { name: 'PAY-1' }).waitFor();
    await inspect('deliveries');
    await browser.visit('/deliveries?state=dead');
    await browser.page.getByText('No delivery matches').waitFor();
    await inspect('deliveries-none');
    expect(faults).toEqual([]);
  });
});

describe('keyboard', () => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl);
    await browser.signIn(system.adminKey);
  });
  afterAll(() => browser.close());

  it('skips to the content, searches, opens the help and a screen with the keyboard', async () => {
    const { page } = browser;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await waitUntil(
      async () => {
        // Again, as a person would: two keys more than 1.5 s apart are no shortcut, and a machine may stop for so long.
        await page.keyboard.press('g');
        await page.keyboard.press('d');
        await page.waitForURL('**/deliveries', { timeout: 5_000 });
        return true;
      },
      { what: 'the shortcut to open the deliveries' },
    );
    await page.getByRole('link', { name: 'PAY-1' }).waitFor();
    await page.keyboard.press('/');
    const search = page.getByRole('dialog', { name: 'Search' });
    await browser.waitForFocus(search.getByRole('searchbox'));
    await page.keyboard.type('PAY-2');
    await page.keyboard.press('Enter');
    await search.getByText('Nothing found for “PAY-2”').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'hidden' });
  });
});
