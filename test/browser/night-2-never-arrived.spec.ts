import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryListDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { Customer } from '#test/support/customer';
import { achChange, wireSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const TRACE_NUMBER = '091000019876543';
const IMAD = '20261122MMQFMP9U000123';

let system: System;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  const acme = await Customer.onboard(system.client, { name: 'Acme' });
  const nightingale = await Customer.onboard(system.client, {
    name: 'Nightingale',
    achCompanyIds: [acme.company],
    wireCompanyIds: [],
    behaviour: () => ({ status: 500 }),
    retrySchedule: [1],
  });
  const ach = achChange(acme.company, 'ACH-S-600', 'RETURN');
  ach.data.achEventInfo.traceNumber = TRACE_NUMBER;
  await system.client.accept(ach);
  const dead = `/v1/deliveries?state=dead&consumerId=${nightingale.consumerId}`;
  await waitUntil(
    async () => (await system.client.call<DeliveryListDto>('GET', dead)).body.deliveries.length === 1,
    { what: 'the delivery to Nightingale to be dead' },
  );
  const [wire] = wireSequence(acme.company, 'WIRE-7');
  if (wire === undefined) throw new Error('no wire event was made');
  wire.data.wireEventInfo.IMAD = IMAD;
  await system.client.call('POST', `/v1/consumers/${acme.consumerId}/pause`, { reason: 'maintenance' });
  await system.client.accept(wire);
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name: 'olga',
    roles: ['oncall'],
  });
  browser = await BrowserSession.open(system.api.baseUrl, { width: 1440 });
  await browser.signIn(body.key);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});
beforeEach(() => browser.visit('/'));

/** Searches a number from the overview. */
async function find(number: string): Promise<() => Promise<number>> {
  const { page } = browser;
  await page.getByRole('heading', { level: 1 }).waitFor();
  const clicks = await countClicks(page);
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Payments' }).click();
  await page.getByRole('searchbox', { name: 'Find a payment' }).fill(number);
  await page.getByRole('button', { name: 'Find' }).click();
  return clicks;
}

describe('notification that never arrived', () => {
  it('finds a payment by its trace number, and shows which consumers received it', async () => {
    const { page } = browser;
    const clicks = await find(TRACE_NUMBER);
    await page.getByRole('heading', { name: 'ACH payment ACH-S-600', level: 1 }).waitFor();
    const cellsOf = (consumer: string) =>
      page.getByRole('row').filter({ hasText: consumer }).getByRole('cell').allInnerTexts();
    await page.getByRole('table', { name: 'Consumers of this payment' }).waitFor();
    // Consumer, received, waiting for, missing.
    expect(await cellsOf('Acme')).toEqual(['Acme', '#1', '–', '–']);
    expect(await cellsOf('Nightingale')).toEqual(['Nightingale', '–', '–', '#1']);
    await page.getByRole('heading', { name: '1. RETURN' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/told/);
    await browser.screenshot('night-2-found');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await page.getByRole('link', { name: 'Nightingale', exact: true }).last().click();
    await page.getByRole('heading', { name: 'RETURN of payment ACH-S-600 to Nightingale' }).waitFor();
    await page.getByText('Given up: no automatic retries').waitFor();
    await page.getByText('500: the consumer’s program failed').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/tried again|by itself/);
    await browser.screenshot('night-2-delivery');
    expect(await browser.accessibilityFaults()).toEqual([]);
    expect(await clicks()).toBeLessThanOrEqual(5);
  });

  it('finds a payment by its IMAD, and shows that the notification is waiting', async () => {
    const { page } = browser;
    const clicks = await find(IMAD);
    await page.getByRole('heading', { name: /^Wire payment / }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Acme' });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Acme', '–', '#1', '–']);
    expect(await clicks()).toBe(2);
  });

  it('the list of payments shows how many consumers received each payment', async () => {
    const { page } = browser;
    await browser.visit('/payments');
    const row = page.getByRole('row').filter({ hasText: 'ACH-S-600' });
    await row.getByText('1 of 2 delivered').waitFor();
    await browser.screenshot('night-2-payments');
    expect(await browser.accessibilityFaults()).toEqual([]);
  });

  it('settles a dead delivery with a reason, and shows it as settled in the list', async () => {
    const { page } = browser;
    await browser.visit('/deliveries?state=dead');
    await page.getByRole('link', { name: 'ACH-S-600' }).click();
    // The list has a button “Settle” too, until the page of the delivery is loaded.
    await page.getByRole('heading', { name: 'RETURN of payment ACH-S-600 to Nightingale' }).waitFor();
    await page.getByRole('button', { name: 'Settle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settle RETURN of payment ACH-S-600 to Nightingale' });
    await dialog.getByText('1 delivery selected').waitFor();
    await dialog.getByLabel('Reason').fill('sent by file');
    await browser.screenshot('night-2-settle');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Settle 1 delivery' }).click();
    await page.getByText('Settled by olga').waitFor();
    expect(await page.getByRole('button', { name: 'Settle' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the filtered list' }).click();
    await page.getByRole('row').filter({ hasText: 'ACH-S-600' }).getByText('Settled').waitFor();
    await browser.screenshot('night-2-settled');
    expect(await browser.accessibilityFaults()).toEqual([]);
  });
});
