import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { CountedClicks } from '#test/support/counted-clicks';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const NAME = 'Slow Harbor Ltd';
const PAYMENTS = 120;

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client, {
    name: NAME,
    contact: 'ops@harbor.example',
    maxConcurrency: 1,
    behaviour: () => ({ delayMs: 2_000 }),
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

const clicks = new CountedClicks();

const health = async () => (await system.client.consumer(customer.consumerId)).health;
const ofConsumer = (statement: string) => runSql(system.databaseUrl, statement, [customer.consumerId]);

describe('growing backlog', () => {
  it('the overview shows which backlog grows, how fast and how late, and later when it will have drained', async () => {
    const { page } = browser;
    await system.client.acceptAll(
      Array.from({ length: PAYMENTS }, (_, index) => achChange(customer.company, `PAY-${String(index)}`)),
    );
    await ofConsumer(
      `update pending_deliveries set next_attempt_at = now() - interval '2 minutes' where consumer_id = $1`,
    );
    await waitUntil(async () => (await health()).state === 'falling_behind', { what: 'a growing backlog' });

    const row = page.getByRole('row').filter({ hasText: NAME });
    await row.getByText('Falling behind').waitFor();
    await row.getByText(/^\d+ grows by \d+ a minute$/).waitFor();
    expect(await row.getByRole('link', { name: 'ops@harbor.example' }).getAttribute('href')).toBe(
      'mailto:ops@harbor.example',
    );
    const figures = page.getByRole('main').locator('dl').first();
    await figures.getByText(/grows by \d+ a minute/).waitFor();
    await browser.screenshot('night-6-overview');

    await clicks.on(row.getByRole('link', { name: NAME }));
    const card = page.getByRole('region', { name: 'Health now' });
    await card
      .getByText(
        /^The oldest delivery is overdue by [23] min|1\d\d s, and the backlog grows by \d+ a minute\.$/,
      )
      .waitFor();
    await card.getByText(/\d+ deliveries, overdue for .* \d+(\.\d)?\/min in, .*\/min out/).waitFor();
    await card.getByText('raise maxConcurrency or maxPerSecond').waitFor();
    await browser.screenshot('night-6-consumer');
    expect(await browser.accessibilityFaults()).toEqual([]);

    // No more events are accepted, and the counts of the accepted events are removed.
    await ofConsumer('update stats_minutes set accepted = 0 where consumer_id = $1');
    await waitUntil(async () => (await health()).trend === 'draining', { what: 'the backlog to drain' });
    await card
      .getByText(/drains in about \d+ (s|min|h)/)
      .first()
      .waitFor();
    expect(clicks.count).toBe(1);
  });

  it('the list of consumers shows the exact backlog and when it will have drained', async () => {
    const { page } = browser;
    await browser.visit('/consumers');
    const row = page.getByRole('row').filter({ hasText: NAME });
    await row.getByText(/^\d+ drains in about/).waitFor();
    const [shown, [counted]] = await Promise.all([
      health(),
      ofConsumer('select count(*)::int as count from pending_deliveries where consumer_id = $1'),
    ]);
    expect(Math.abs(shown.waiting - Number(counted?.['count']))).toBeLessThan(5);
    customer.behave(() => ({}));
    await system.client.call('PATCH', `/v1/consumers/${customer.consumerId}`, { maxConcurrency: 64 });
    await row.getByText('Healthy').waitFor();
  });
});
