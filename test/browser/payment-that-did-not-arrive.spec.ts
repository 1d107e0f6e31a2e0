import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryListDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import type { AcceptedDto } from '#libs/contracts';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { Customer } from '#test/support/customer';
import { achChange, wireSequence } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const TRACE_NUMBER = '091000019876543';
const IMAD = '20261122MMQFMP9U000123';
const ACCOUNT = '1234567890123456';

let system: System;
let acme: Customer;
let northwind: Customer;
let seen: AcceptedDto;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  const { client } = system;
  acme = await Customer.onboard(client, { name: 'Acme' });
  // Only two attempts, so that failing deliveries are dead soon.
  const failing = { retrySchedule: [1], wireCompanyIds: [] };
  const nightingale = await Customer.onboard(client, {
    ...failing,
    name: 'Nightingale',
    achCompanyIds: [acme.company],
    behaviour: () => ({ status: 500 }),
  });
  northwind = await Customer.onboard(client, {
    ...failing,
    name: 'Northwind Traders',
    contact: 'it@northwind.example',
    behaviour: () => ({ status: 401, body: 'who are you?' }),
  });
  const ach = achChange(acme.company, 'ACH-S-600', 'RETURN');
  ach.data.achEventInfo.traceNumber = TRACE_NUMBER;
  ach.data.achEventInfo.debtor.account.accountId = ACCOUNT;
  seen = await client.accept(ach);
  const refused = await client.acceptAll(
    ['PAY-1', 'PAY-2', 'PAY-3', 'PAY-4'].map((payment) => achChange(northwind.company, payment)),
  );
  await Promise.all(refused.map((accepted) => client.waitForState(accepted, 'dead')));
  const dead = `/v1/deliveries?state=dead&consumerId=${nightingale.consumerId}`;
  await waitUntil(
    async () => (await client.call<DeliveryListDto>('GET', dead)).body.deliveries.length === 1,
    { what: 'the delivery to Nightingale to be dead' },
  );
  const [wire] = wireSequence(acme.company, 'WIRE-7');
  if (wire === undefined) throw new Error('no wire event was made');
  wire.data.wireEventInfo.IMAD = IMAD;
  await client.pauseConsumer(acme.consumerId);
  await client.accept(wire);
  await client.accept(achChange('UNKNOWN', 'UNROUTED-1'));
  browser = await BrowserSession.openAs(system, 'oncall', { name: 'olga', width: 1440 });
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const inspect = async (name: string): Promise<void> => {
  await browser.screenshot(name);
  expect(await browser.accessibilityFaults()).toEqual([]);
};

describe('payment that did not arrive', () => {
  it('the overview leads to the cause of a failed delivery, to its signature, to its retry, and to sending it again', async () => {
    const { page } = browser;
    const row = page.getByRole('row').filter({ hasText: 'Northwind Traders' });
    await row.getByText('Degraded').waitFor();
    await row.getByText('it@northwind.example').waitFor();
    await inspect('overview-needs-attention');

    await row.getByRole('link', { name: 'Replay the dead deliveries of Northwind Traders' }).click();
    await page.getByRole('link', { name: 'PAY-2' }).click();
    await page.getByRole('heading', { name: 'INITIATED of payment PAY-2 to Northwind Traders' }).waitFor();
    await page.getByText('401: the consumer refuses the Basic credentials or the signature').waitFor();
    await page.getByRole('button', { name: 'What was sent and answered in attempt 2' }).click();
    await page.getByRole('region', { name: 'Response body' }).getByText('who are you?').waitFor();
    await inspect('delivery-dead');

    await page.getByRole('button', { name: 'Explain the signature' }).click();
    const explanation = page.getByRole('dialog', { name: 'Explain the signature' });
    const signature = await explanation.getByRole('region', { name: 'Signature (x-signature)' }).innerText();
    expect(northwind.arrivals.map(({ request }) => request.headers['x-signature'])).toContain(signature);
    await inspect('explain-signature');
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'hidden' });

    northwind.behave(() => ({}));
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = page.getByRole('dialog', {
      name: 'Retry INITIATED of payment PAY-2 to Northwind Traders',
    });
    await dialog.getByLabel('Reason').fill('their password is correct now');
    await dialog.getByRole('button', { name: 'Retry now' }).click();
    await page.getByRole('main').getByText('Delivered', { exact: true }).waitFor();
    await page.getByText('Acknowledged (HTTP 200)').waitFor();

    await page.getByRole('button', { name: 'Send again' }).click();
    const second = page.getByRole('dialog', {
      name: 'Send again INITIATED of payment PAY-2 to Northwind Traders',
    });
    await second.getByText('will receive it a second time').waitFor();
    await second.getByLabel('Reason').fill('they lost it');
    await second.getByRole('button', { name: 'Send it a second time' }).click();
    await page.getByText('after 4 attempts').waitFor();
    const acknowledged = northwind.arrivals.filter(({ isAcknowledged }) => isAcknowledged);
    expect(acknowledged.map(({ paymentId }) => paymentId)).toEqual(['PAY-2', 'PAY-2']);
  });

  it('finds a payment by its trace number with the keyboard only, and shows who did not receive it and why', async () => {
    const { page } = browser;
    await page.keyboard.press('Control+k');
    await browser.waitForFocus(page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox'));
    await page.keyboard.type(TRACE_NUMBER);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ACH payment ACH-S-600', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const cellsOf = (consumer: string) =>
      page.getByRole('row').filter({ hasText: consumer }).getByRole('cell').allInnerTexts();
    await page.getByRole('table', { name: 'Consumers of this payment' }).waitFor();
    // Consumer, received, waiting for, missing.
    expect(await cellsOf('Acme')).toEqual(['Acme', '#1', '–', '–']);
    expect(await cellsOf('Nightingale')).toEqual(['Nightingale', '–', '–', '#1']);
    await page.getByRole('heading', { name: '1. RETURN' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/told/);
    await inspect('night-2-found');

    await page.getByRole('link', { name: 'Nightingale', exact: true }).last().click();
    await page.getByRole('heading', { name: 'RETURN of payment ACH-S-600 to Nightingale' }).waitFor();
    await page.getByText('Given up: no automatic retries').waitFor();
    await page.getByText('500: the consumer’s program failed').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/tried again|by itself/);
  });

  it('finds a payment by its IMAD in 2 clicks, and shows that the notification is waiting', async () => {
    const { page } = browser;
    const clicks = await countClicks(page);
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Payments' }).click();
    const row = page.getByRole('row').filter({ hasText: 'ACH-S-600' });
    await row.getByText('1 of 2 delivered').waitFor();
    await inspect('night-2-payments');
    await page.getByRole('searchbox', { name: 'Find a payment' }).fill(IMAD);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('heading', { name: /^Wire payment / }).waitFor();
    const consumer = page.getByRole('row').filter({ hasText: 'Acme' });
    await consumer.waitFor();
    expect(await consumer.getByRole('cell').allInnerTexts()).toEqual(['Acme', '–', '#1', '–']);
    expect(await clicks()).toBe(2);
  });

  it('the search in the header lists several hits, and finds a consumer by the beginning of its name', async () => {
    const { page } = browser;
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const field = dialog.getByRole('searchbox', { name: 'Any id, or a name' });
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    await field.fill('n');
    await page.keyboard.press('Enter');
    await dialog.getByText('2 hits').waitFor();
    await inspect('search');
    await field.fill('northw');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Northwind Traders', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/consumers\//);
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
    await inspect('night-2-settle');
    await dialog.getByRole('button', { name: 'Settle 1 delivery' }).click();
    await page.getByText('Settled by olga').waitFor();
    expect(await page.getByRole('button', { name: 'Settle' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the filtered list' }).click();
    await page.getByRole('row').filter({ hasText: 'ACH-S-600' }).getByText('Settled').waitFor();
    await browser.screenshot('night-2-settled');
  });

  it('shows on-call staff the full account number, which is audited, and refuses an event of another company', async () => {
    const { page } = browser;
    await browser.visit(`/events/${seen.notificationId}`);
    await page.getByText('Opening this view is audited.').waitFor();
    expect(await page.content()).not.toContain(ACCOUNT);
    await page.getByRole('button', { name: 'Show account numbers' }).click();
    await page.getByRole('region', { name: 'Envelope' }).getByText(ACCOUNT).waitFor();
    await inspect('event');
    const log = await system.client.call('GET', '/v1/audit?action=event.envelope-read');
    expect(log.body).toMatchObject({
      entries: [{ actor: 'olga', target: `event:${seen.notificationId}` }],
    });
    await browser.visit('/payments?unrouted=true');
    await page.getByRole('button', { name: 'Send to a consumer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to a consumer' });
    await dialog.getByRole('combobox', { name: 'Consumer' }).click();
    await page.getByRole('option', { name: 'Acme' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('asked for by the customer');
    await inspect('send-to-consumer');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    // A payment of another company is refused for every role.
    await dialog.getByRole('alert').waitFor();
  });
});

/** The beginning of the name of every button and link that changes something. */
const COMMAND =
  /^(Send|Mark|Show account|Pause|Resume|Remove|Change|Rotate|Create|Try|Go live|Explain|Compare|Onboard|Replay|Cancel|Settle)/;

it('a viewer sees the last four characters of an account number, and no command on any screen', async () => {
  const viewer = await BrowserSession.openAs(system, 'viewer', { path: `/events/${seen.notificationId}` });
  const { page } = viewer;
  await page.getByText('Account numbers are masked to their last four characters').waitFor();
  await page.getByText('Showing them needs the role oncall.').waitFor();
  const envelope = await page.getByRole('region', { name: 'Envelope' }).innerText();
  expect(envelope).not.toContain(ACCOUNT);
  expect(envelope).toContain(ACCOUNT.slice(-4));
  const consumer = `/consumers/${acme.consumerId}`;
  for (const { path, heading, isSeenElsewhere = false } of [
    { isSeenElsewhere: true, path: `/events/${seen.notificationId}`, heading: 'ACH event: RETURN' },
    { isSeenElsewhere: true, path: '/payments/ach/UNROUTED-1', heading: 'ACH payment UNROUTED-1' },
    { path: '/payments?unrouted=true', heading: 'Payments' },
    { path: '/consumers', heading: 'Consumers' },
    { isSeenElsewhere: true, path: consumer, heading: 'Acme' },
    { path: `${consumer}?tab=settings`, heading: 'Acme' },
    { isSeenElsewhere: true, path: `${consumer}?tab=credentials`, heading: 'Acme' },
    { path: `${consumer}?tab=keys`, heading: 'Acme' },
    { isSeenElsewhere: true, path: `${consumer}?tab=signature`, heading: 'Acme' },
  ]) {
    await viewer.visit(path);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await waitUntil(async () => (await page.getByText(/^Loading/).count()) === 0, {
      what: 'the screen to be loaded',
    });
    const commands = (await page.getByRole('button', { name: COMMAND }).allInnerTexts()).concat(
      await page.getByRole('link', { name: COMMAND }).allInnerTexts(),
    );
    // The other screens are checked in the journeys through them.
    const faults = isSeenElsewhere ? [] : await viewer.accessibilityFaults();
    expect({ path, commands, faults }).toEqual({ path, commands: [], faults: [] });
  }
  await viewer.visit('/consumers/new');
  await page.getByText('This screen needs the role operator').waitFor();
  expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
  const paused = await page.request.post(`/v1${consumer}/pause`, { data: { reason: 'because' } });
  expect(paused.status()).toBe(403);
  await viewer.close();
});

it('on-call staff mark unrouted events as seen, and send them to a consumer that was registered later', async () => {
  const { page } = browser;
  await browser.visit('/');
  await page.getByText('1 new unrouted event', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await page.getByText('1 new unrouted event', { exact: true }).waitFor({ state: 'hidden' });
  await system.client.accept(achChange('UNKNOWN', 'UNROUTED-2'));
  await system.client.accept(achChange('NOBODY', 'UNROUTED-3'));
  await browser.visit('/payments?unrouted=true');
  const rowOf = (payment: string) => page.getByRole('row').filter({ hasText: payment });
  await rowOf('UNROUTED-2').getByText('New').waitFor();
  await rowOf('UNROUTED-1').getByRole('cell', { name: 'Yes' }).waitFor();
  await page.getByText('2 new unrouted events', { exact: true }).waitFor();
  await inspect('unrouted-events');

  await Customer.onboard(system.client, { name: 'Late & Co', achCompanyIds: ['UNKNOWN'] });
  await page.getByRole('button', { name: 'Send to matching consumers …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to matching consumers' });
  await dialog.getByText('2 of 3 unrouted events match a consumer now').waitFor();
  await dialog.getByText('Late & Co: 2 events').waitFor();
  await dialog.getByLabel('Reason').fill('registered late');
  await inspect('unrouted-preview');
  await dialog.getByRole('button', { name: 'Send 2 events' }).click();
  await page.getByText('2 of the events are being sent. Without a matching consumer: 1.').waitFor();
  await rowOf('UNROUTED-1').waitFor({ state: 'hidden' });
  const { events } = await system.client.events({ unrouted: 'true' });
  expect(events.map(({ paymentId }) => paymentId)).toEqual(['UNROUTED-3']);
  await page.getByRole('button', { name: 'Send to matching consumers …' }).click();
  await dialog.getByText('0 of 1 unrouted events match a consumer now').waitFor();
  await dialog.getByLabel('Reason').fill('registered late');
  expect(await dialog.getByRole('button', { name: 'Send 0 events' }).isDisabled()).toBe(true);
});
