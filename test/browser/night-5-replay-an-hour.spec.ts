import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkActionListDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const MINUTE_MS = 60_000;

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client, { name: 'Acme', retrySchedule: [1] });
  for (const payment of ['BEFORE', 'INSIDE-1', 'INSIDE-2', 'AFTER']) {
    const accepted = await system.client.accept(achChange(customer.company, payment));
    await system.client.waitForState(accepted, 'delivered');
  }
  // One delivery is moved before the hour, one after it.
  for (const [payment, minutes] of [
    ['BEFORE', -10],
    ['AFTER', 10],
  ] as const)
    await runSql(
      system.databaseUrl,
      `update deliveries set created_at = created_at + $2 * interval '1 minute' where payment_id = $1`,
      [payment, minutes],
    );
  browser = await BrowserSession.open(system.api.baseUrl, { width: 1440 });
  await browser.signIn(system.adminKey);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

/** The value of a datetime-local field, to the minute. */
const field = (at: number): string => new Date(at).toISOString().slice(0, 16);
const newest = async () =>
  (await system.client.call<BulkActionListDto>('GET', '/v1/bulk-actions?limit=1')).body.bulkActions[0];

describe('replay of an hour', () => {
  it('replays exactly the deliveries that were accepted between two given times', async () => {
    const { page } = browser;
    const [from, to] = [Date.now() - 5 * MINUTE_MS, Date.now() + 5 * MINUTE_MS];
    const clicks = await countClicks(page);
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel(/^Accepted from/).fill(field(from));
    await page.getByLabel(/^Accepted before/).fill(field(to));
    await page.getByRole('button', { name: 'Replay 2 deliveries …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bulk replay' });
    await dialog.getByText('2 deliveries selected').waitFor();
    const words = await dialog.innerText();
    expect(words).toMatch(/accepted from .*, accepted before /);
    expect(words).toMatch(/sent again with a full retry schedule and the same notificationId/);
    expect(words).toMatch(/Delivered ones are among them and are sent a second time/);
    await dialog.getByLabel('Reason').fill('they lost the hour');
    await browser.screenshot('night-5-dialog');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await page.getByRole('main').getByText('2 deliveries processed: 2 replayed').waitFor();
    await page.getByText('Re-queued is not delivered yet.').waitFor();
    await browser.screenshot('night-5-done');
    expect(await clicks()).toBeLessThanOrEqual(7);
    await customer.waitForArrivals(6);
    const twice = customer.arrivals.filter(({ time }) => time === 2).map(({ paymentId }) => paymentId);
    expect(twice.toSorted()).toEqual(['INSIDE-1', 'INSIDE-2']);
  });

  it('replays all unacknowledged deliveries since the first failure, from the page of the consumer', async () => {
    const { page } = browser;
    customer.behave(() => ({ status: 503 }));
    for (const payment of ['LOST-1', 'LOST-2']) {
      const accepted = await system.client.accept(achChange(customer.company, payment));
      await system.client.waitForState(accepted, 'dead');
    }
    customer.behave(() => ({}));
    await browser.visit('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Consumers' }).click();
    await page.getByRole('link', { name: 'Acme', exact: true }).click();
    await page.getByRole('button', { name: 'Replay since …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay what Acme has not acknowledged' });
    await dialog.getByText('2 deliveries selected').waitFor();
    await dialog.getByText(/not acknowledged, consumer Acme, accepted from/).waitFor();
    await dialog.getByLabel('Reason').fill('their server is back');
    await browser.screenshot('night-5-since');
    expect(await browser.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await page.getByRole('main').getByText('2 deliveries processed: 2 replayed').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(7);
    expect((await newest())?.filter).toMatchObject({ consumerId: customer.consumerId, delivered: false });
    await customer.waitForAcknowledged(
      customer.arrivals.filter(({ paymentId }) => paymentId.startsWith('LOST')),
    );
  });
});
