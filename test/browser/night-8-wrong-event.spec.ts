import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AcceptedDto } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

let system: System;
let acme: Customer;
let nightingale: Customer;
let wrong: AcceptedDto;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.shared(1);
  acme = await Customer.onboard(system.client, { name: 'Acme' });
  nightingale = await Customer.onboard(system.client, { name: 'Nightingale', achCompanyIds: [acme.company] });
  await system.client.call('POST', '/v1/queue/pause', { reason: 'a wrong event was posted' });
  wrong = await system.client.accept(achChange(acme.company, 'PAY-WRONG', 'RETURN'));
  await system.client.accept(achChange(acme.company, 'PAY-RIGHT'));
  browser = await BrowserSession.open(system.api.baseUrl, { width: 1440 });
  await browser.signIn(system.adminKey);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

describe('wrong event', () => {
  it('finds a wrong event and cancels only its deliveries, with a reason', async () => {
    const { page } = browser;
    const clicks = await countClicks(page);
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('searchbox', { name: 'Find a payment' }).fill('PAY-WRONG');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('heading', { name: 'ACH payment PAY-WRONG', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Event of status 1' }).click();
    await page.getByRole('button', { name: 'Cancel everywhere …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this event everywhere' });
    await dialog.getByText('2 deliveries selected').waitFor();
    await dialog.getByText('The consumers will not receive these notifications').waitFor();
    await dialog.getByLabel('Reason').fill('posted by mistake');
    await browser.screenshot('night-8-dialog');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel 2 deliveries' }).click();
    await page.getByRole('main').getByText('2 deliveries processed: 2 cancelled').waitFor();
    await page.getByText('posted by mistake').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(7);

    await system.client.call('POST', '/v1/queue/resume', { reason: 'it is cancelled' });
    await Promise.all([acme.waitForArrivals(1), nightingale.waitForArrivals(1)]);
    for (const customer of [acme, nightingale])
      expect(customer.arrivals.map(({ paymentId }) => paymentId)).toEqual(['PAY-RIGHT']);
  });

  it('the page of an event shows that its deliveries were cancelled', async () => {
    const { page } = browser;
    await browser.visit(`/events/${wrong.notificationId}`);
    await page.getByText('The audit log has who cancelled it and why.').first().waitFor();
    await browser.screenshot('night-8-event');
    expect(await browser.accessibilityFaults()).toEqual([]);
  });
});
