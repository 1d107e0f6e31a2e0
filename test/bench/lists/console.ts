import { chromium, type Page } from 'playwright-core';
import { median, printTable, readArguments, round, say, writeJson } from '#test/bench/engine/report';
import { BenchEnvironment } from '#test/bench/bench-environment';
import { programPath } from '#test/support/chromium-path';
import { startConsumer } from '#test/support/consumer-server';
import { achChange } from '#test/support/status-changes';
import { waitUntil } from '#test/support/wait-until';

/**
 * How long the console takes with many deliveries, in Chromium: until the first screen means something, until the list
 * shows what a filter or a page asks for, and the longest that scrolling holds up the page.
 */
const { json, numbers } = readArguments({ deliveries: 10_000, consumers: 20, runs: 5 });

const BATCH = 500;

const consumer = await startConsumer();
const stand = await BenchEnvironment.open({ backend: 'redis', workers: 1 });
try {
  const companies = Array.from({ length: numbers.consumers }, (_, index) => `COMPANY-${String(index)}`);
  await stand.register(companies, [Number(new URL(consumer.url).port)]);
  say(`posting ${String(numbers.deliveries)} events to ${String(numbers.consumers)} consumers`);
  for (let from = 0; from < numbers.deliveries; from += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, numbers.deliveries - from) }, (_, index) =>
      achChange(companies[(from + index) % companies.length] ?? '', `PAY-${String(from + index)}`),
    );
    await stand.client.call('POST', '/v1/events/batch', { events });
  }
  await waitUntil(
    async () => {
      const { rows } = await stand.sql.query<{ n: number }>('select count(*)::int as n from deliveries');
      return rows[0]?.n === numbers.deliveries;
    },
    { what: 'all of them to be delivered', deadlineMs: 300_000, everyMs: 500 },
  );
  const rows = [];
  for (const [name, values] of Object.entries(await measure())) {
    rows.push({ step: name, median_ms: round(median(values), 0), worst_ms: round(Math.max(...values), 0) });
  }
  printTable(`the console with ${String(numbers.deliveries)} deliveries, ${String(numbers.runs)} runs`, rows);
  await writeJson(json, { numbers, rows });
} finally {
  await stand.close();
  await consumer.close();
}

async function measure(): Promise<Record<string, number[]>> {
  const browser = await chromium.launch({
    executablePath: programPath(),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const found: Record<string, number[]> = {};
  const time = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    const from = performance.now();
    await act();
    (found[name] ??= []).push(performance.now() - from);
  };
  try {
    for (let run = 0; run < numbers.runs; run += 1) {
      const context = await browser.newContext({
        baseURL: stand.baseUrl,
        viewport: { width: 1440, height: 900 },
      });
      const page = await context.newPage();
      await page.goto('/sign-in');
      await page.getByLabel('API key').fill(stand.adminKey);
      await time('sign-in to Overview, nothing cached', async () => {
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('link', { name: 'Waiting', exact: true }).waitFor();
      });
      await time('Overview again', async () => {
        await page.goto('/');
        await page.getByRole('link', { name: 'Waiting', exact: true }).waitFor();
      });
      await time('Deliveries, first rows', async () => {
        await page.goto('/deliveries');
        await firstRow(page).waitFor();
      });
      await time('filter by state', async () => {
        await page.getByRole('combobox', { name: 'State' }).click();
        await page.getByRole('option', { name: 'Dead' }).click();
        await page.getByText('No delivery matches').waitFor();
      });
      await time('clear the filter', async () => {
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await firstRow(page).waitFor();
      });
      const first = await firstRow(page).innerText();
      await time('next page', async () => {
        await page.getByRole('link', { name: 'Next' }).click();
        await page.waitForFunction(
          `document.querySelector('tbody tr')?.innerText !== ${JSON.stringify(first)}`,
        );
      });
      await time('filter by payment, after Enter', async () => {
        const field = page.getByLabel('Payment');
        await field.fill(`PAY-${String(run * 7)}`);
        await field.press('Enter');
        await page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
      });
      await page.goto('/deliveries');
      await firstRow(page).waitFor();
      (found['longest frame while scrolling'] ??= []).push(await longestFrame(page));
      await context.close();
    }
    return found;
  } finally {
    await browser.close();
  }
}

function firstRow(page: Page) {
  return page.locator('tbody tr').first();
}

/** Milliseconds between two frames at most, while the page is scrolled to its end. */
async function longestFrame(page: Page): Promise<number> {
  await page.evaluate(`window.frames_ = []; (function next(last) {
    requestAnimationFrame((now) => { window.frames_.push(now - last); next(now); });
  })(performance.now())`);
  for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 300);
  await page.waitForTimeout(500);
  return Number(await page.evaluate('Math.max(...window.frames_)'));
}
