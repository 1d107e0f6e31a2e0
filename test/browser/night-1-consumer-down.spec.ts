import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '#libs/database';
import { sql } from 'kysely';
import { BrowserSession } from '#test/support/browser-session';
import { insertConsumer } from '#test/support/consumer-row';
import { CountedClicks } from '#test/support/counted-clicks';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const NAME = 'Nightingale Corp';

let system: System;
let db: Database;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  db = openDatabase({ url: system.databaseUrl, poolSize: 1 });
  customer = await Customer.onboard(system.client, {
    name: NAME,
    contact: 'Night desk +1 212 555 0100',
    retrySchedule: Array.from({ length: 40 }, () => 1),
  });
  const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
    name: 'olga',
    roles: ['oncall'],
  });
  browser = await BrowserSession.open(system.api.baseUrl);
  await browser.page.setViewportSize({ width: 1440, height: 900 });
  await browser.signIn(body.key);
});
afterAll(async () => {
  await browser.close();
  await db.destroy();
  await system.stop();
});

const clicks = new CountedClicks();

const consumer = () => system.client.consumer(customer.consumerId);

describe('consumer that is down', () => {
  it('the overview shows since when and why a consumer is down, and leads to its last answer in three clicks', async () => {
    const { page } = browser;
    await system.client.waitForState(
      await system.client.accept(achChange(customer.company, 'PAY-0')),
      'delivered',
    );
    customer.behave(() => ({ status: 401, body: 'unknown user' }));
    await system.client.acceptAll(['PAY-1', 'PAY-2', 'PAY-3'].map((id) => achChange(customer.company, id)));
    await waitUntil(async () => (await consumer()).health.state === 'degraded', {
      what: 'the consumer to be degraded',
    });
    // A minute of failures opens the circuit, so the first one is moved into the past. A worker that records a failure at
    // this moment overwrites the change, so it is repeated.
    const down = await waitUntil(
      async () => {
        const one = await consumer();
        if (one.health.state === 'down') return one.health.cause !== null && one;
        await sql`update consumer_runtime set first_failure_at = least(first_failure_at, now() - interval '3 minutes')
                  where consumer_id = ${customer.consumerId}`.execute(db);
        return false;
      },
      { what: 'the circuit to open' },
    );
    expect(Date.parse(down.health.since ?? '')).toBeLessThan(
      Date.parse(down.circuit?.openedAt ?? '') - 60_000,
    );
    expect(Date.parse(down.health.lastSuccessAt ?? '')).toBeGreaterThan(0);

    const row = page.getByRole('row').filter({ hasText: NAME });
    await row.getByText('Down', { exact: true }).waitFor();
    await row.getByText(/^HTTP 401 on (\d+) of \1$/).waitFor();
    await row.getByText('Theirs').waitFor();
    await row.getByText(/for [34] min .*\(since \d\d:\d\d:\d\d\)/).waitFor();
    expect(await row.getByRole('link', { name: 'Night desk' }).getAttribute('href')).toBe('tel:+12125550100');
    await page.getByRole('link', { name: 'Consumers down' }).waitFor();
    await browser.screenshot('night-1-overview');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await clicks.on(row.getByRole('link', { name: NAME }));
    const card = page.getByRole('region', { name: 'Health now' });
    await card
      .getByText(/^Down: \d+ consecutive failures\. A probe is sent every 30 s to 15 min\.$/)
      .waitFor();
    await card.getByText('401: the consumer refuses the Basic credentials or the signature').waitFor();
    await card.getByText('Held deliveries are sent after the first success.').waitFor();
    await card.getByText('Circuit open since').waitFor();
    await card.getByText('Last success', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'Night desk' }).waitFor();
    await browser.screenshot('night-1-consumer');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await clicks.on(page.getByRole('link', { name: 'Last failed delivery' }));
    await clicks.on(page.getByRole('button', { name: /^What was sent and answered in attempt/ }).first());
    await page.getByRole('region', { name: 'Response body' }).getByText('unknown user').waitFor();
    expect(clicks.count).toBeLessThanOrEqual(3);
  });

  it('the overview fits 50 consumers that need attention and 40 planned pauses on one screen, worst first', async () => {
    const { page } = browser;
    await browser.visit('/');
    const before = new Date(Date.now() - 600_000);
    for (let index = 0; index < 50; index += 1)
      await insertConsumer(db, { name: `Company ${String(index)}`, circuitOpenedAt: before });
    for (let index = 0; index < 40; index += 1)
      await insertConsumer(db, { name: `Holiday ${String(index)}`, pausedAt: before });
    await page.getByRole('button', { name: '40 paused on purpose' }).waitFor();
    const more = page.getByRole('button', { name: 'and 39 more' });
    await more.waitFor();
    const rows = page
      .getByRole('table', { name: 'Consumers that need attention, worst first' })
      .getByRole('row');
    expect(await rows.count()).toBe(13);
    for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(34);
    const { y = 0, height = 0 } = (await more.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(900);
    await browser.screenshot('night-1-fifty');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await more.click();
    await waitUntil(async () => (await rows.count()) === 52, { what: 'all 52 rows to be shown' });
    await page.getByRole('link', { name: 'Consumers', exact: true }).click();
    await page.getByRole('table', { name: 'Consumers' }).getByText('Company 49').waitFor();
    expect(await browser.fitsTheWidth()).toBe(true);
    await browser.screenshot('night-1-consumers');
    expect(await browser.accessibilityFaults()).toEqual([]);
  });
});
