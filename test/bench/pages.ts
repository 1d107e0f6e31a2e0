/**
 * Measures how long each page of the console needs until it shows its data, in an installation with 2,000 consumers and
 * 300,000 deliveries: `npm run bench:pages`. The first visit of a page in a browser that has the code of the others; medians
 * of `ROUNDS` rounds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#libs/database';
import { chromium, type Page } from 'playwright-core';
import { BenchEnvironment, OWN_DIST } from '#test/bench/environment';
import { fillHistory } from '#test/bench/history';
import { chromiumPath } from '#test/support/chromium-path';

const EVENTS = 100_000;
const CONSUMERS = 2_000;
/** Those of `fillHistory`. */
const WITH_HISTORY = 300;
const ROUNDS = 5;

const environment = await BenchEnvironment.open({ backend: 'redis', dist: OWN_DIST, servers: 'tuned' });
const db = openDatabase({ url: environment.servers.postgres.adminUrl, poolSize: 1 });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  // The deliveries of the history stay as they are.
  await environment.sql.query('update dispatcher_state set paused_at = now()');
  await fillHistory(db, EVENTS);
  const quiet = Array.from({ length: CONSUMERS - WITH_HISTORY }, (_, index) => `Quiet ${String(index)}`);
  await environment.insertConsumers(quiet, 9, {});
  await environment.sql.query('vacuum analyze');
  const page = await browser.newPage({ baseURL: environment.baseUrl });
  await page.goto(`/sign-in#key=${environment.adminKey}`);
  await page.getByRole('button', { name: /^Sign in/ }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const paths = await pathsOf();
  const times = new Map<string, number[]>(Object.keys(paths).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, path] of Object.entries(paths)) times.get(name)?.push(await timeOf(page, path));
  for (const [name, all] of times) {
    const sorted = all.toSorted((one, other) => one - other);
    const [median = 0, slowest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    process.stdout.write(`${name.padEnd(24)} median ${String(median)} ms, slowest ${String(slowest)} ms\n`);
  }
} finally {
  await browser.close();
  await db.destroy();
  await environment.close();
}

/** The main pages; those of one thing show a large consumer's. */
async function pathsOf(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await environment.sql.query<{
    id: string;
    event: string;
    consumer: string;
    payment: string;
  }>(
    `select d.id, d.event_id as event, d.consumer_id as consumer, d.payment_id as payment from deliveries d
     join consumers c on c.id = d.consumer_id
     where c.name = 'consumer 1' and d.event_type = 'ach.status' order by d.id desc limit 1`,
  );
  const [one] = rows;
  if (one === undefined) throw new Error('consumer 1 has no delivery');
  const { id, event, consumer, payment } = one;
  return {
    overview: '/',
    issues: '/issues',
    deliveries: '/deliveries',
    'dead deliveries': '/deliveries?state=dead',
    'deliveries of one': `/deliveries?consumerId=${consumer}`,
    delivery: `/deliveries/${id}`,
    payments: '/payments',
    payment: `/payments/ach/${payment}`,
    event: `/events/${event}`,
    consumers: '/consumers',
    consumer: `/consumers/${consumer}`,
    'bulk actions': '/bulk-actions',
    channels: '/channels',
    report: '/reports',
    audit: '/audit',
    'API keys': '/api-keys',
  };
}

/** Milliseconds from the request of a page to its heading without any part that is loading. */
async function timeOf(page: Page, path: string): Promise<number> {
  const startedAt = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator('main h1').waitFor();
  const loading = page.locator('main [role=status]').filter({ hasText: /^Loading/ });
  while ((await loading.count()) > 0) await pause(10);
  return Math.round(performance.now() - startedAt);
}
