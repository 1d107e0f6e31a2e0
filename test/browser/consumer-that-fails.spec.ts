import type { IssueListDto } from '#apps/api/src/resources/issues/issue.dto';
import { openDatabase, type Database } from '#libs/database';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { insertConsumer } from '#test/support/consumer-row';
import { CountedClicks } from '#test/support/counted-clicks';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const PAYMENTS = 120;

let system: System;
let db: Database;
let down: Customer;
let gone: Customer;
let slow: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  db = openDatabase({ url: system.databaseUrl, poolSize: 1 });
  down = await Customer.onboard(system.client, {
    name: 'Nightingale Corp',
    contact: 'Night desk +1 212 555 0100',
    retrySchedule: Array.from({ length: 40 }, () => 1),
  });
  gone = await Customer.onboard(system.client, {
    name: 'Osprey Metals',
    contact: 'desk@osprey.example',
    behaviour: () => ({ status: 410 }),
  });
  slow = await Customer.onboard(system.client, {
    name: 'Slow Harbor Ltd',
    contact: 'ops@harbor.example',
    maxConcurrency: 1,
    behaviour: () => ({ delayMs: 2_000 }),
  });
  browser = await BrowserSession.openAs(system, 'oncall', { name: 'olga', width: 1440, height: 900 });
});
afterAll(async () => {
  await browser.close();
  await db.destroy();
  await system.stop();
});

const inspect = async (name: string): Promise<void> => {
  await browser.screenshot(name);
  expect(await browser.accessibilityFaults()).toEqual([]);
};
const rowOf = (name: string) => browser.page.getByRole('row').filter({ hasText: name });
const title = (wanted: RegExp) =>
  waitUntil(async () => wanted.test(await browser.page.title()), {
    what: `the title of the tab to match ${String(wanted)}`,
  });
const health = async ({ consumerId }: Customer) => (await system.client.consumer(consumerId)).health;

/** Waits until the issues are so; the evaluation would otherwise take up to 15 s. */
const issuesUntil = (what: string, areSo: (list: IssueListDto) => boolean) =>
  waitUntil(
    async () => {
      await sql`update schedules set next_at = now() where name = 'health_issues'`.execute(db);
      return areSo((await system.client.call<IssueListDto>('GET', '/v1/issues?limit=100')).body);
    },
    { what, everyMs: 200 },
  );

/** Waits until the issue of the consumer that is gone has this state. */
const issueUntil = (state: string) =>
  issuesUntil(
    `the issue to be ${state}`,
    ({ issues }) => issues.find(({ consumerId }) => consumerId === gone.consumerId)?.state === state,
  );

describe('consumer that is down', () => {
  it('the overview shows since when and why a consumer is down, and leads to its last answer in three clicks', async () => {
    const { page } = browser;
    const clicks = new CountedClicks();
    await title(/^Overview · Dispatcher$/);
    await system.client.waitForState(
      await system.client.accept(achChange(down.company, 'PAY-0')),
      'delivered',
    );
    down.behave(() => ({ status: 401, body: 'unknown user' }));
    await system.client.acceptAll(['PAY-1', 'PAY-2', 'PAY-3'].map((id) => achChange(down.company, id)));
    // Retries follow each other within a second here, so the deliveries are made late: a late one makes the consumer degraded.
    await waitUntil(
      async () => {
        await sql`update pending_deliveries set first_attempt_at = now() - interval '4 minutes', pending_since = now() - interval '4 minutes'
                  where consumer_id = ${down.consumerId} and first_attempt_at is not null`.execute(db);
        return (await health(down)).state === 'degraded';
      },
      { what: 'the consumer to be degraded' },
    );
    // A minute of failures opens the circuit, so the first one is moved into the past. A worker that records a failure at
    // this moment overwrites the change, so it is repeated.
    const seen = await waitUntil(
      async () => {
        const one = await system.client.consumer(down.consumerId);
        if (one.health.state === 'down') return one.health.cause !== null && one;
        await sql`update consumer_runtime set first_failure_at = least(first_failure_at, now() - interval '3 minutes')
                  where consumer_id = ${down.consumerId}`.execute(db);
        return false;
      },
      { what: 'the circuit to open' },
    );
    expect(Date.parse(seen.health.since ?? '')).toBeLessThan(
      Date.parse(seen.circuit?.openedAt ?? '') - 60_000,
    );
    expect(Date.parse(seen.health.lastSuccessAt ?? '')).toBeGreaterThan(0);

    const row = rowOf('Nightingale Corp');
    await row.getByText('Down', { exact: true }).waitFor();
    await row.getByText(/^The last \d+ attempts were answered HTTP 401$/).waitFor();
    await row.getByText('The consumer', { exact: true }).waitFor();
    await row.getByText(/^for [34] min/).waitFor();
    expect(await row.getByRole('link', { name: 'Night desk' }).getAttribute('href')).toBe('tel:+12125550100');
    await page.getByRole('link', { name: 'Consumers down' }).waitFor();
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await title(/^\(1\) Overview · Dispatcher$/);
    const icon = page.locator('link[rel=icon]');
    await waitUntil(async () => (await icon.getAttribute('href'))?.includes('icon-attention') === true, {
      what: 'the icon of the tab to be red',
    });
    const answer = await fetch(new URL((await icon.getAttribute('href')) ?? '', system.api.baseUrl));
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    await inspect('night-1-overview');

    await clicks.on(row.getByRole('link', { name: 'Nightingale Corp' }));
    const card = page.getByRole('region', { name: 'Health now' });
    await card
      .getByText(
        /^The last \d+ attempts failed\. Deliveries are held, and one of them is tried every 30 s to 15 min\.$/,
      )
      .waitFor();
    await card.getByText('401: the consumer refuses the Basic credentials or the signature').waitFor();
    await card.getByText('Held deliveries are sent after the first success.').waitFor();
    await card.getByText('Failing (from the first failed attempt)').waitFor();
    await card.getByText('Circuit open since').waitFor();
    await card.getByText('Last success', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'Night desk' }).waitFor();
    await inspect('night-1-consumer');

    await clicks.on(page.getByRole('link', { name: 'Last failed delivery' }));
    await clicks.on(page.getByRole('button', { name: /^What was sent and answered in attempt/ }).first());
    await page.getByRole('region', { name: 'Response body' }).getByText('unknown user').waitFor();
    expect(clicks.count).toBeLessThanOrEqual(3);
  });
});

describe('issue', () => {
  it('on-call staff find an open issue, acknowledge it with a note, read what to do, and see it resolved automatically', async () => {
    const { page } = browser;
    await system.client.accept(achChange(gone.company, 'PAY-1'));
    await issueUntil('open');
    await browser.visit('/');
    await page.getByText(/^\d+ open issues?$/).waitFor();
    await page.getByRole('link', { name: 'See open issues' }).click();
    await page.getByRole('heading', { name: 'Issues', exact: true }).waitFor();
    const row = rowOf('Osprey Metals');
    expect(await row.innerText()).toContain('Unplanned pause');
    expect(await row.innerText()).toContain('410 Gone');
    await row.hover();
    await row.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByLabel('Note').fill('they change their address');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await row.waitFor({ state: 'hidden' });
    await page.getByText('Unresolved', { exact: true }).click();
    await row.getByText('Acknowledged by olga').waitFor();
    expect(await row.getByRole('link', { name: 'desk@osprey.example' }).getAttribute('href')).toBe(
      'mailto:desk@osprey.example',
    );
    await row.getByText('Note: they change their address').waitFor();
    await inspect('issues');

    await page.getByRole('link', { name: 'Unplanned pause' }).click();
    await page.getByRole('heading', { name: 'Unplanned pause: Osprey Metals' }).waitFor();
    await page.getByText('Ask the contact for the new URL').waitFor();
    await page.getByText('When it was opened:').waitFor();
    await page.getByText('Now:').waitFor();
    expect(await page.getByRole('link', { name: 'desk@osprey.example' }).getAttribute('href')).toBe(
      'mailto:desk@osprey.example',
    );
    await inspect('issue');
    await page.getByRole('link', { name: 'Osprey Metals: its present health' }).click();
    await page.getByText('acknowledged by olga: they change their address').waitFor();

    gone.behave(() => ({}));
    await system.client.resumeConsumer(gone.consumerId);
    await issueUntil('resolved');
    const viewer = await BrowserSession.openAs(system, 'viewer', {
      path: '/issues?state=resolved',
      width: 390,
    });
    const resolved = viewer.page.getByRole('row', { name: 'Osprey Metals' });
    await resolved.getByText('Resolved automatically').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Acknowledge|Resolve/ }).count()).toBe(0);
    expect(await viewer.fitsTheWidth()).toBe(true);
    await viewer.close();
  });
});

describe('growing backlog', () => {
  it('the overview and the list show which backlog grows, how fast and how late, and when it will have drained', async () => {
    const { page } = browser;
    const ofConsumer = (statement: string) =>
      sql<{ count: number }>`${sql.raw(statement)} where consumer_id = ${slow.consumerId}`.execute(db);
    await system.client.acceptBatch(
      Array.from({ length: PAYMENTS }, (_, index) => achChange(slow.company, `PAY-${String(index)}`)),
    );
    await ofConsumer(`update pending_deliveries set next_attempt_at = now() - interval '6 minutes'`);
    await waitUntil(async () => (await health(slow)).state === 'falling_behind', {
      what: 'a growing backlog',
    });
    await browser.visit('/');
    const row = rowOf('Slow Harbor Ltd');
    await row.getByText('Falling behind').waitFor();
    await row.getByText(/^\d+, growing by \d+ a minute$/).waitFor();
    expect(await row.getByRole('link', { name: 'ops@harbor.example' }).getAttribute('href')).toBe(
      'mailto:ops@harbor.example',
    );
    const figures = page.getByRole('main').locator('dl').first();
    await figures.getByText(/growing by \d+ a minute/).waitFor();
    await browser.screenshot('night-6-overview');

    await row.getByRole('link', { name: 'Slow Harbor Ltd' }).click();
    const card = page.getByRole('region', { name: 'Health now' });
    await card
      .getByText(/^The oldest delivery is overdue by [67] min, and the backlog grows by \d+ a minute\.$/)
      .waitFor();
    await card.getByText(/\d+ deliveries, overdue for .* \d+(\.\d)?\/min in, .*\/min out/).waitFor();
    await card
      .getByText(
        /At the rate of the last 5 minutes the backlog is growing by \d+ a minute and does not drain\./,
      )
      .waitFor();
    await card.getByText('raise maxConcurrency or maxPerSecond').waitFor();
    await inspect('night-6-consumer');

    // No more events are accepted, and the counts of the accepted events are removed.
    await ofConsumer('update stats_minutes set accepted = 0');
    await waitUntil(async () => (await health(slow)).trend === 'draining', { what: 'the backlog to drain' });
    await card
      .getByText(/empty in about \d+ (s|min|h)/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Consumers', exact: true }).click();
    await row.getByText(/^empty in about/).waitFor();
    const [shown, counted] = await Promise.all([
      health(slow),
      ofConsumer('select count(*)::int as count from pending_deliveries'),
    ]);
    expect(Math.abs(shown.waiting - (counted.rows[0]?.count ?? 0))).toBeLessThan(5);
    slow.behave(() => ({}));
    await system.client.call('PATCH', `/v1/consumers/${slow.consumerId}`, { maxConcurrency: 64 });
    await row.getByText('Healthy').waitFor();
  });
});

it('the overview fits the note of open issues and 50 consumers that need attention on one screen, worst first, and folds 40 pauses with a planned end', async () => {
  const { page } = browser;
  const before = new Date(Date.now() - 600_000);
  const after = new Date(Date.now() + 3_600_000);
  for (let index = 0; index < 50; index += 1)
    await insertConsumer(db, { name: `Company ${String(index)}`, circuitOpenedAt: before });
  for (let index = 0; index < 40; index += 1)
    await insertConsumer(db, { name: `Holiday ${String(index)}`, pausedAt: before, pausedUntil: after });
  await sql`update consumer_runtime set failed_probes = 3 where circuit_opened_at is not null`.execute(db);
  await issuesUntil(
    '50 issues to be open',
    ({ issues }) => issues.filter(({ state }) => state === 'open').length >= 50,
  );
  await browser.visit('/');
  await page.getByText(/^\d+ open issues$/).waitFor();
  await page.getByRole('button', { name: '40 paused until a planned time' }).waitFor();
  const more = page.getByRole('button', { name: /^and \d+ more$/ });
  await more.waitFor();
  const rows = page
    .getByRole('table', { name: 'Consumers that need attention, worst first' })
    .getByRole('row');
  expect(await rows.count()).toBe(8);
  const heights = await rows.evaluateAll((all) =>
    all.map((row) => Number(row.getBoundingClientRect().height)),
  );
  expect(Math.max(...heights)).toBeLessThanOrEqual(70);
  const { y = 0, height = 0 } = (await more.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(900);
  await browser.screenshot('night-1-fifty');

  await more.click();
  // The header, 50 consumers, and those of the tests before.
  await waitUntil(async () => (await rows.count()) > 50, { what: 'all rows to be shown' });
  await page.getByRole('link', { name: 'Consumers', exact: true }).click();
  await page.getByRole('table', { name: 'Consumers' }).getByText('Company 49').waitFor();
  expect(await browser.fitsTheWidth()).toBe(true);
  await browser.screenshot('night-1-consumers');
});
