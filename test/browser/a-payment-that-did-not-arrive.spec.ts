import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client, {
    name: 'Northwind Traders',
    contact: 'it@northwind.example',
    behaviour: () => ({ status: 401, body: 'who are you?' }),
    // Only two attempts, so that failing deliveries are dead soon.
    retrySchedule: [1],
  });
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name: 'olga',
    roles: ['oncall'],
  });
  browser = await BrowserSession.open(system.api.baseUrl);
  await browser.signIn(body.key);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

describe('payment that did not arrive', () => {
  it('the overview leads to the cause of a failed delivery, and to its retry', async () => {
    const { page } = browser;
    for (const payment of ['PAY-1', 'PAY-2', 'PAY-3', 'PAY-4']) {
      const accepted = await system.client.accept(achChange(customer.company, payment));
      await system.client.waitForState(accepted, 'dead');
    }

    await browser.visit('/');
    const row = page.getByRole('row').filter({ hasText: 'Northwind Traders' });
    await row.getByText('Degraded').waitFor();
    await row.getByText('it@northwind.example').waitFor();
    await browser.screenshot('overview-needs-attention');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await row.getByRole('link', { name: 'Replay the dead deliveries of Northwind Traders' }).click();
    await page.getByRole('link', { name: 'PAY-2' }).click();
    await page.getByRole('heading', { name: 'INITIATED of payment PAY-2 to Northwind Traders' }).waitFor();
    await page.getByText('401: the consumer refuses the Basic credentials or the signature').waitFor();
    await page.getByRole('button', { name: 'What was sent and answered in attempt 2' }).click();
    await page.getByRole('region', { name: 'Response body' }).getByText('who are you?').waitFor();
    await browser.screenshot('delivery-dead');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await page.getByRole('button', { name: 'Explain the signature' }).click();
    const explanation = page.getByRole('dialog', { name: 'Explain the signature' });
    const signature = await explanation.getByRole('region', { name: 'Signature (x-signature)' }).innerText();
    expect(customer.arrivals.map(({ request }) => request.headers['x-signature'])).toContain(signature);
    await browser.screenshot('explain-signature');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'hidden' });

    customer.behave(() => ({}));
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = page.getByRole('dialog', {
      name: 'Retry INITIATED of payment PAY-2 to Northwind Traders',
    });
    await dialog.getByLabel('Reason').fill('their password is correct now');
    await dialog.getByRole('button', { name: 'Retry now' }).click();
    await page.getByRole('main').getByText('Delivered', { exact: true }).waitFor();
    await page.getByText('Acknowledged (HTTP 200)').waitFor();
    expect(customer.acknowledged.map(({ paymentId }) => paymentId)).toEqual(['PAY-2']);
  });

  it('warns before a delivered notification is sent a second time', async () => {
    const { page } = browser;
    customer.behave(() => ({}));
    const accepted = await system.client.accept(achChange(customer.company, 'PAY-9'));
    const { deliveryId } = await system.client.waitForState(accepted, 'delivered');
    await browser.visit(`/deliveries/${deliveryId}`);
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog', {
      name: 'Send again INITIATED of payment PAY-9 to Northwind Traders',
    });
    await dialog.getByText('will receive it a second time').waitFor();
    await dialog.getByLabel('Reason').fill('they lost it');
    await dialog.getByRole('button', { name: 'Send it a second time' }).click();
    await page.getByText('after 2 attempts').waitFor();
    expect(customer.arrivals.filter(({ paymentId }) => paymentId === 'PAY-9')).toHaveLength(2);
  });
});

describe('sending to all consumers', () => {
  it('pauses sending to all consumers with a reason, shows who paused it and why, and resumes', async () => {
    const { page } = browser;
    await browser.visit('/');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Pause sending' }).click();
    const pausing = page.getByRole('dialog', { name: 'Pause sending to all consumers' });
    await pausing.getByLabel('Reason').fill('the network is being moved');
    expect(await pausing.getByRole('button', { name: 'Pause sending' }).isDisabled()).toBe(true);
    await pausing.getByLabel('Type PAUSE to confirm').fill('PAUSE');
    await pausing.getByRole('button', { name: 'Pause sending' }).click();
    const panel = page.getByRole('region', { name: 'Sending' });
    await panel.getByText('the network is being moved').waitFor();
    expect(await panel.innerText()).toContain('by olga');
    await browser.screenshot('overview-paused');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await panel.getByRole('button', { name: 'Resume sending' }).click();
    const resuming = page.getByRole('dialog', { name: 'Resume sending' });
    await resuming.getByLabel('Reason').fill('it has been moved');
    await resuming.getByRole('button', { name: 'Resume sending' }).click();
    await page.getByRole('main').getByText('Sending is on').waitFor();
  });
});

describe('producer key', () => {
  it('a producer who signs in gets a link to Payments', async () => {
    const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
      name: 'hub',
      roles: ['producer'],
    });
    const phone = await BrowserSession.open(system.api.baseUrl, { width: 390, colorScheme: 'dark' });
    await phone.signIn(body.key);
    await phone.page.getByRole('link', { name: 'Go to Payments' }).waitFor();
    expect(await phone.accessibilityFaults()).toEqual([]);
    await phone.close();
  });
});
