import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

let system: System;
let failing: Customer;
beforeAll(async () => {
  system = await System.start({
    backend: 'redis',
    env: { ENVIRONMENT_NAME: 'production', ENVIRONMENT_COLOR: 'red' },
  });
  failing = await Customer.onboard(system.client, {
    name: 'Brightwater Foods',
    behaviour: () => ({ status: 500 }),
  });
  const paused = await Customer.onboard(system.client, { name: 'Castle Freight' });
  await system.client.call('POST', `/v1/consumers/${paused.consumerId}/pause`, { reason: 'planned' });
});
afterAll(() => system.stop());

describe('frame of every screen', () => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl, { timezone: 'America/New_York' });
  });
  afterAll(() => browser.close());

  const title = (wanted: RegExp) =>
    waitUntil(async () => wanted.test(await browser.page.title()), {
      what: `the title of the tab to match ${String(wanted)}`,
    });
  const focused = () => browser.page.evaluate<string>('document.activeElement.textContent');

  it('shows the environment before and after the sign-in', async () => {
    const { page } = browser;
    await browser.visit('/sign-in');
    await page.getByText('production', { exact: true }).waitFor();
    await browser.signInOnPage(system.adminKey);
    await page.getByRole('banner').getByText('production', { exact: true }).waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
  });

  it('the tab shows how many consumers need attention, without planned pauses, and a red icon', async () => {
    await title(/^Overview · Dispatcher$/);
    await system.client.acceptAll(
      [1, 2, 3, 4].map((number) => achChange(failing.company, `ORDER-${String(number)}`)),
    );
    await title(/^\(1\) Overview · Dispatcher$/);
    const icon = browser.page.locator('link[rel=icon]');
    await waitUntil(async () => (await icon.getAttribute('href'))?.includes('icon-attention') === true, {
      what: 'the icon of the tab to be red',
    });
    const answer = await fetch(new URL((await icon.getAttribute('href')) ?? '', system.api.baseUrl));
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  });

  it('moves the focus to the heading of each new screen', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await waitUntil(async () => (await focused()) === 'Deliveries', {
      what: 'the heading to have the focus',
    });
    await title(/^\(1\) Deliveries · Dispatcher$/);
    await page.getByRole('link', { name: 'ORDER-1' }).first().waitFor();
    expect(await focused()).toBe('Deliveries');
  });

  it('shows and reads every time in the chosen zone, UTC or local, also after a reload', async () => {
    const { page } = browser;
    await browser.visit('/deliveries?from=2026-11-22T03:00:00Z');
    const from = page.getByLabel('Accepted from');
    expect(await from.inputValue()).toBe('2026-11-22T03:00');
    await page.getByText('= 21 Nov 2026, 22:00:00 New York').waitFor();
    const row = page.getByRole('row').nth(1).locator('time').last();
    const inUtc = await row.innerText();
    await page.getByRole('button', { name: /^Times in UTC/ }).click();
    await page.getByLabel('Accepted from (New York)').waitFor();
    expect(await from.inputValue()).toBe('2026-11-21T22:00');
    expect(await row.innerText()).not.toBe(inUtc);
    expect(await row.getAttribute('title')).toMatch(/ UTC = .* New York$/);
    await page.reload();
    await page.getByRole('button', { name: /^Times in New York/ }).click();
    await page.getByLabel('Accepted from (UTC)').waitFor();
    // The zone changes the view, not the filter.
    expect(new URL(page.url()).search).toBe('?from=2026-11-22T03:00:00Z');
  });

  it('keeps single-letter shortcuts switched off after a reload', async () => {
    const { page } = browser;
    await browser.visit('/deliveries');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.getByLabel('Single-letter shortcuts').click();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await dialog.waitFor();
    expect(new URL(page.url()).pathname).toBe('/deliveries');
    await dialog.getByLabel('Single-letter shortcuts').click();
    await page.keyboard.press('Escape');
  });

  it('an unknown address shows “Page not found” within the frame, with a link to the overview', async () => {
    await browser.visit('/nowhere');
    await browser.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await title(/Page not found · Dispatcher$/);
    await browser.page.getByRole('link', { name: 'Overview' }).last().click();
    await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(browser.page.url()).pathname).toBe('/');
  });
});

it('the header fits the width of a phone, also with the longest time zone', async () => {
  const browser = await BrowserSession.open(system.api.baseUrl, {
    width: 390,
    height: 844,
    timezone: 'America/New_York',
  });
  const { page } = browser;
  await browser.signIn(system.adminKey);
  await page.getByRole('button', { name: /^Times in UTC/ }).click();
  await page.getByRole('button', { name: /^Times in New York/ }).waitFor();
  await browser.screenshot('frame-390-light');
  expect(await browser.fitsTheWidth()).toBe(true);
  for (const button of await page.getByRole('banner').getByRole('button').all()) {
    const box = await button.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  }
  await browser.close();
});
