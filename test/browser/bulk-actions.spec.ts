import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkActionListDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import type { Locator } from 'playwright-core';
import { Client } from 'pg';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const MANY = 105;
const MINUTE_MS = 60_000;

let system: System;
let northwind: Customer;
let acme: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  // Without a worker every delivery stays queued, so the counts are constant.
  system = await System.start({ backend: 'redis', workers: 0 });
  northwind = await Customer.onboard(system.client, { name: 'Northwind Traders' });
  acme = await Customer.onboard(system.client, { name: 'Acme', retrySchedule: [1] });
  await system.client.acceptBatch(
    Array.from({ length: MANY }, (_, n) => achChange(northwind.company, `PAY-${String(n)}`)),
  );
  browser = await BrowserSession.open(system.api.baseUrl, { width: 1440 });
  await browser.signIn(system.adminKey);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const ofNorthwind = (more = ''): string => `/deliveries?consumerId=${northwind.consumerId}${more}`;
const field = (label: string | RegExp): Locator => browser.page.getByLabel(label);
const button = (name: string | RegExp): Locator => browser.page.getByRole('button', { name });
const dialog = (): Locator => browser.page.getByRole('dialog');
const main = (): Locator => browser.page.getByRole('main');
const inspect = async (name: string): Promise<void> => {
  await browser.screenshot(name);
  expect(await browser.accessibilityFaults()).toEqual([]);
};
const newestFilter = async (): Promise<unknown> =>
  (await system.client.call<BulkActionListDto>('GET', '/v1/bulk-actions?limit=1')).body.bulkActions[0]
    ?.filter;
/** The value of a datetime-local field, to the minute. */
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);

describe('bulk action on filtered deliveries', () => {
  it('a bulk action is blocked by an incomplete time and an unknown filter value, and uses what was typed just before the click', async () => {
    const { page } = browser;
    await browser.visit(ofNorthwind('&state=dedd'));
    await page.getByText('The address has an unknown value for “State”').waitFor();
    expect(await button(/^Replay .*…$/).isDisabled()).toBe(true);
    await browser.visit(ofNorthwind());
    await page.getByText('Cancel 105 deliveries …').waitFor();
    await browser.addFilter('Accepted before');
    await field('Accepted before (UTC)').pressSequentially('11');
    await page.getByText('“Accepted before” is not a complete date and time').waitFor();
    for (const verb of [/^Replay .*…$/, /^Retry .*…$/, /^Cancel .*…$/])
      expect(await button(verb).isDisabled()).toBe(true);
    await inspect('bulk-incomplete-time');
    // A click elsewhere does not hide the incomplete text, which would lift the block.
    await page.getByRole('heading', { level: 1 }).click();
    expect(await field('Accepted before (UTC)').isVisible()).toBe(true);

    await field('Accepted before (UTC)').fill('2020-01-01T03:00');
    await button('Replay 0 deliveries …').waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe('2020-01-01T03:00:00Z');
    await browser.visit(ofNorthwind());
    await page.getByText('Cancel 105 deliveries …').waitFor();
    await field('Payment').pressSequentially('PAY-7');
    await button(/^Cancel .*…$/).click();
    await dialog().getByText('1 delivery selected').waitFor();
    expect(await dialog().innerText()).toContain('payment PAY-7');
    await dialog().getByLabel('Reason').fill('a wrong event');
    await dialog().getByRole('button', { name: 'Cancel 1 delivery' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bulk cancel' }).waitFor();
    expect(await newestFilter()).toEqual({ consumerId: northwind.consumerId, paymentId: 'PAY-7' });
  });

  it('a bulk action asks again with the new count when more deliveries match than were confirmed', async () => {
    const { page } = browser;
    await browser.visit(ofNorthwind('&paymentId=PAY-8'));
    await button('Replay 1 delivery …').click();
    await dialog().getByText('1 delivery selected').waitFor();
    await dialog().getByLabel('Reason').fill('their server is back');
    await system.client.accept(achChange(northwind.company, 'PAY-8', 'PROCESSED'));
    await dialog().getByRole('button', { name: 'Replay 1 delivery' }).click();
    await dialog().getByText('Not started: more deliveries match now').waitFor();
    await dialog().getByText('2 deliveries selected', { exact: true }).waitFor();
    await inspect('bulk-more-match');
    await dialog().getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bulk replay' }).waitFor();
    expect(await newestFilter()).toEqual({ consumerId: northwind.consumerId, paymentId: 'PAY-8' });
  });

  it('does not start a bulk action on an unknown number of deliveries', async () => {
    await browser.visit(ofNorthwind());
    await button(/^Replay \d+ deliveries …$/).waitFor();
    const holder = new Client({ connectionString: system.databaseUrl });
    await holder.connect();
    // The locked history cannot be read, like a count that is too slow.
    try {
      await holder.query('begin');
      await holder.query('lock table deliveries in access exclusive mode');
      await button(/^Replay .*…$/).click();
      await dialog().getByText('The deliveries could not be counted in five seconds').waitFor();
      await dialog().getByLabel('Reason').fill('everything');
      expect(await dialog().getByRole('button', { name: 'Replay deliveries' }).isDisabled()).toBe(true);
    } finally {
      await holder.end();
    }
    await dialog().getByRole('button', { name: 'Count again' }).click();
    await dialog()
      .getByRole('button', { name: /^Replay \d+ deliveries$/ })
      .waitFor();
  });

  it('shows bulk actions within the width of a phone', async () => {
    const phone = await BrowserSession.open(system.api.baseUrl, { width: 390 });
    const { page } = phone;
    await phone.signIn(system.adminKey, ofNorthwind('&paymentId=PAY-9'));
    await page.getByRole('button', { name: 'Bulk actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel 1 delivery …' }).waitFor();
    await phone.screenshot('bulk-buttons-phone');
    expect(await phone.fitsTheWidth()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('Payment').fill('');
    // As long as a person presses: the button must not move meanwhile.
    await page.getByRole('button', { name: 'Bulk actions' }).click({ delay: 300 });
    await page.getByRole('menuitem', { name: /^Cancel \d+ deliveries …$/ }).click();
    await page.getByLabel('Number of deliveries').waitFor();
    await phone.screenshot('bulk-dialog-phone');
    expect(await phone.fitsTheWidth()).toBe(true);
    await phone.close();
  });

  it('replays more than 100 deliveries after their number was typed, with a progress bar, and lists who did it and why', async () => {
    const { page } = browser;
    await system.startWorker();
    await northwind.waitForArrivals(MANY);
    await browser.visit(ofNorthwind());
    await button('Replay 106 deliveries …').click();
    const start = dialog().getByRole('button', { name: 'Replay 106 deliveries' });
    await dialog().getByLabel('Reason').fill('their server is back');
    expect(await start.isDisabled()).toBe(true);
    await dialog().getByLabel('Number of deliveries').fill('100');
    expect(await start.isDisabled()).toBe(true);
    await dialog().getByLabel('Number of deliveries').fill('106');
    await browser.screenshot('bulk-type-the-count');
    await start.click();
    await page.getByRole('heading', { level: 1, name: 'Bulk replay' }).waitFor();
    await page.getByRole('progressbar').waitFor();
    await main().getByText('106 deliveries processed: 106 replayed').waitFor();
    await main().getByText('Finished', { exact: true }).waitFor();
    await inspect('bulk-action');
    await page.getByRole('link', { name: 'Bulk actions' }).first().click();
    const row = page.getByRole('row').filter({ hasText: 'their server is back' }).filter({ hasText: '106' });
    expect(await row.innerText()).toMatch(/Replay.*Finished.*admin/s);
    await inspect('bulk-actions');
  });
});

it('finds a wrong event and cancels only its deliveries, with a reason', async () => {
  const { page } = browser;
  const other = await Customer.onboard(system.client, { name: 'Nightingale', achCompanyIds: [acme.company] });
  await system.client.setSending('pause');
  const wrong = await system.client.accept(achChange(acme.company, 'PAY-WRONG', 'RETURN'));
  await system.client.accept(achChange(acme.company, 'PAY-RIGHT'));
  const clicks = await countClicks(page);
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Payments' }).click();
  await page.getByRole('searchbox', { name: 'Find a payment' }).fill('PAY-WRONG');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'ACH payment PAY-WRONG', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Event of status 1' }).click();
  await button('Cancel everywhere …').click();
  await dialog().getByText('2 deliveries selected').waitFor();
  await dialog().getByText('The consumers will not receive these notifications').waitFor();
  await dialog().getByLabel('Reason').fill('posted by mistake');
  await inspect('night-8-dialog');
  await dialog().getByRole('button', { name: 'Cancel 2 deliveries' }).click();
  await main().getByText('2 deliveries processed: 2 cancelled').waitFor();
  await page.getByText('posted by mistake').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(7);

  await system.client.setSending('resume');
  await Promise.all([acme.waitForArrivals(1), other.waitForArrivals(1)]);
  for (const customer of [acme, other])
    expect(customer.arrivals.map(({ paymentId }) => paymentId)).toEqual(['PAY-RIGHT']);
  await browser.visit(`/events/${wrong.notificationId}`);
  await page.getByText('The audit log has who cancelled it and why.').first().waitFor();
});

describe('replay of a period', () => {
  it('replays exactly the deliveries that were accepted between two given times', async () => {
    const { page } = browser;
    await runSql(system.databaseUrl, `update deliveries set created_at = created_at - interval '1 hour'`);
    const inside = await system.client.acceptAll([
      achChange(acme.company, 'INSIDE-1'),
      achChange(acme.company, 'INSIDE-2'),
      achChange(acme.company, 'AFTER'),
    ]);
    await acme.waitForAcknowledged(inside);
    // Of Acme and Nightingale. The record of an attempt would undo the change of its row.
    const recorded = `select from deliveries where payment_id = 'AFTER' and state = 'delivered'`;
    await waitUntil(async () => (await runSql(system.databaseUrl, recorded)).length === 2, {
      what: 'the last payment to be recorded as delivered',
    });
    await runSql(
      system.databaseUrl,
      `update deliveries set created_at = created_at + interval '10 minutes' where payment_id = 'AFTER'`,
    );
    // Nightingale gets the same payments.
    const path = `/deliveries?consumerId=${acme.consumerId}`;
    await browser.visit(path);
    await page.getByRole('link', { name: 'INSIDE-1' }).waitFor();
    const clicks = await countClicks(page);
    await browser.addFilter('Accepted from');
    await field(/^Accepted from \(/).fill(minute(Date.now() - 5 * MINUTE_MS));
    await page.keyboard.press('Enter');
    await browser.addFilter('Accepted before');
    await field(/^Accepted before \(/).fill(minute(Date.now() + 5 * MINUTE_MS));
    await button('Replay 2 deliveries …').click();
    await dialog().getByText('2 deliveries selected').waitFor();
    const words = await dialog().innerText();
    expect(words).toMatch(/accepted from .*, accepted before /);
    expect(words).toMatch(/sent again with a full retry schedule and the same notificationId/);
    expect(words).toMatch(/Delivered ones are among them and are sent a second time/);
    await dialog().getByLabel('Reason').fill('they lost the hour');
    await dialog().getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await main().getByText('2 deliveries processed: 2 replayed').waitFor();
    await page.getByText('Re-queued is not delivered yet.').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(6);
    await acme.waitForArrivals(6);
    const twice = acme.arrivals.filter(({ time }) => time === 2).map(({ paymentId }) => paymentId);
    expect(twice.toSorted()).toEqual(['INSIDE-1', 'INSIDE-2']);
  });

  it('the page of a consumer replays a period: what was not acknowledged, and on request what was', async () => {
    const { page } = browser;
    acme.behave(() => ({ status: 503 }));
    const lost = await system.client.acceptAll([
      achChange(acme.company, 'LOST-1'),
      achChange(acme.company, 'LOST-2'),
    ]);
    const dead = `select from deliveries where consumer_id = $1 and state = 'dead'`;
    await waitUntil(async () => (await runSql(system.databaseUrl, dead, [acme.consumerId])).length === 2, {
      what: 'both deliveries to be dead',
    });
    acme.behave(() => ({}));
    await browser.visit('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Consumers' }).click();
    await page.getByRole('link', { name: 'Acme', exact: true }).click();
    await button('Replay a period …').click();
    await dialog().getByText('2 deliveries selected').waitFor();
    await dialog()
      .getByText(/not acknowledged, consumer Acme, accepted from .*, accepted before /)
      .waitFor();
    await dialog().getByLabel('Reason').fill('their server is back');
    await inspect('night-5-since');
    await dialog().getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await main().getByText('2 deliveries processed: 2 replayed').waitFor();
    // One more includes what was acknowledged.
    expect(await clicks()).toBeLessThanOrEqual(6);
    expect(await newestFilter()).toMatchObject({ consumerId: acme.consumerId, delivered: false });
    await acme.waitForAcknowledged(lost);

    // They lose their database after one of the two was cancelled.
    const delivered = `select from deliveries where payment_id like 'LOST%' and state = 'delivered'`;
    await waitUntil(async () => (await runSql(system.databaseUrl, delivered)).length === 4, {
      what: 'both to be delivered to both consumers',
    });
    await runSql(system.databaseUrl, `update deliveries set state = 'cancelled' where payment_id = 'LOST-2'`);
    const before = acme.arrivals.length;
    await browser.visit(`/consumers/${acme.consumerId}`);
    await button('Replay a period …').click();
    await field(/^Accepted from \(/).fill(minute(Date.now() - 5 * MINUTE_MS));
    const numbers = dialog().getByRole('listitem');
    await numbers.filter({ hasText: 'Cancelled or settled: 1, not included' }).waitFor();
    await numbers.filter({ hasText: 'Acknowledged: 3, not included' }).waitFor();
    await dialog().getByLabel('Also what Acme has acknowledged').click();
    await numbers.filter({ hasText: 'Acknowledged: 3, included' }).waitFor();
    await dialog().getByText('are sent a second time').waitFor();
    await dialog().getByLabel('Reason').fill('they lost their database');
    await inspect('night-5-acknowledged');
    await dialog().getByRole('button', { name: 'Replay 3 deliveries' }).click();
    await main().getByText('3 deliveries processed: 3 replayed').waitFor();
    const arrivals = await acme.waitForArrivals(before + 3);
    const again = arrivals.slice(before).map(({ paymentId }) => paymentId);
    expect(again.toSorted()).toEqual(['INSIDE-1', 'INSIDE-2', 'LOST-1']);
  });
});
