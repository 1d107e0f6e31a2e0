import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { firstIdAt } from '#libs/database';
import { BrowserSession } from '#test/support/browser-session';
import { CountedClicks } from '#test/support/counted-clicks';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';

/** Within the last 24 hours, which the report shows first. */
const NIGHT = new Date(Date.now() - 2 * 3_600_000);
const at = (ms: number): Date => new Date(NIGHT.getTime() + ms);

let system: System;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
  const register = async (name: string): Promise<string> => {
    const { id } = await system.client.registerConsumer({
      name,
      url: 'https://consumer.example/hook',
      eventTypes: ['ach.status'],
      credentials: { username: 'bank', password: 'secret' },
    });
    // Registered before the night.
    await sql(`update consumers set created_at = $2 where id = $1`, [id, at(-86_400_000)]);
    return id;
  };
  const northwind = await register('Northwind Traders');
  await register('Quiet Co');
  const make = (state: string, tookMs: number, count = 1, isReplayed = false): Promise<unknown> =>
    sql(
      `insert into deliveries (id, event_id, consumer_id, event_type, state, attempts, created_at, finished_at, replayed)
       select overlay($1 placing lpad(n::text, 12, '0') from 25)::uuid, gen_random_uuid(), $2, 'ach.status', $3, 1, $4, $5, $7
       from generate_series(1, $6::int) n`,
      [
        `${firstIdAt(NIGHT.getTime()).slice(0, 14)}7${newId().slice(15)}`,
        northwind,
        state,
        at(0),
        at(tookMs),
        count,
        isReplayed,
      ],
    );
  await make('delivered', 80, 1_200);
  await make('delivered', 90_000, 3);
  await make('delivered', 3_600_000, 4, true);
  await make('dead', 600_000, 2);
  await make('cancelled', 1_000);
  await sql(
    `insert into audit_log (at, actor, action, target, details)
     values ($1, 'dispatcher', 'consumer.circuit_closed', $2, $3)`,
    [
      at(750_000),
      `consumer:${northwind}`,
      { openedAt: at(30_000).toISOString(), downtimeMs: 720_000, failedProbes: 4 },
    ],
  );
  browser = await BrowserSession.openAs(system, 'viewer');
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const sql = (text: string, values: unknown[]): Promise<unknown> => runSql(system.databaseUrl, text, values);

describe('report of the night', () => {
  it('the report shows, saves, copies and prints the figures of each consumer in 4 clicks', async () => {
    const { page } = browser;
    const clicks = new CountedClicks();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await clicks.on(page.getByRole('link', { name: 'Report' }));
    // The overview, which is still shown for a moment, also has a row of this consumer.
    const report = page.getByRole('table', { name: 'Report' });
    const row = report.getByRole('row', { name: 'Northwind Traders' });
    await row.waitFor();
    const headers = await report.getByRole('columnheader').allInnerTexts();
    expect(headers).toEqual([
      'Consumer',
      'Accepted',
      'Delivered',
      'Late',
      'Replayed or paused',
      'Dead',
      'Cancelled',
      'Waiting',
      'Median',
      '95th percentile',
      'Downtime',
    ]);
    const figures = ['1,210', '1,207', '3', '4', '2', '1', '0', '80 ms', '80 ms'];
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Northwind Traders', ...figures, '12 min']);
    const quiet = await page.getByRole('row', { name: 'Quiet Co' }).getByRole('cell').allInnerTexts();
    expect(quiet).toEqual(['Quiet Co', '0', '0', '0', '0', '0', '0', '0', '–', '–', '–']);
    const totals = page.getByRole('row', { name: 'All consumers' });
    expect(await totals.getByRole('cell').allInnerTexts()).toEqual(['All consumers', ...figures, '–']);
    await page
      .getByText('Late: delivered more than 1 min after acceptance. Median and 95th percentile: the time')
      .waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await browser.screenshot('report');

    const saving = page.waitForEvent('download');
    await clicks.on(page.getByRole('button', { name: 'Download CSV' }));
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^report-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines[0]?.split(',')).toHaveLength(['consumerId', ...headers].length);
    expect(lines[1]).toContain(',"Northwind Traders",1210,1207,3,4,2,1,0,80,80,720000');

    await clicks.on(page.getByRole('button', { name: 'Copy as text' }));
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied: unknown = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`Northwind Traders\t${figures.join('\t')}\t12 min`);

    await page.evaluate('window.print = () => { window.printed = true; }');
    await clicks.on(page.getByRole('button', { name: 'Print' }));
    expect(await page.evaluate('window.printed')).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await totals.isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    await browser.screenshot('report-printed');
    await page.emulateMedia({ media: 'screen' });
    expect(clicks.count).toBeLessThanOrEqual(7);
    expect(clicks.count).toBe(4);
  });

  it('an empty report says why it is empty, and shows a longer time on request', async () => {
    const { page } = browser;
    await browser.visit('/reports');
    await page.waitForURL(({ searchParams }) => searchParams.has('from') && !searchParams.has('to'));
    await browser.visit('/reports?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z');
    await page.getByText('No status change was accepted for any consumer from 1 Jan 2026').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await browser.visit(`/reports?from=${at(-120_000).toISOString()}&to=${at(-60_000).toISOString()}`);
    await page.getByRole('button', { name: 'Show the last 30 days' }).click();
    await page.getByRole('row', { name: 'Northwind Traders' }).waitFor();
  });

  it('the report keeps its time range and its threshold for late deliveries in the URL', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Late after: 1 min', exact: true }).click();
    await page.getByRole('option', { name: '5 min', exact: true }).click();
    await page.waitForURL('**lateAfterMs=300000');
    await page.getByText('more than 5 min after acceptance').waitFor();
    await page.getByRole('button', { name: 'Time range' }).click();
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
    await page.waitForURL((url) => !url.searchParams.has('to'));
    const { searchParams } = new URL(page.url());
    const days = (Date.now() - Date.parse(searchParams.get('from') ?? '')) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    expect(searchParams.get('lateAfterMs')).toBe('300000');
    expect(await browser.fitsTheWidth()).toBe(true);
  });
});
