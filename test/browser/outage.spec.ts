import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Link } from '#test/chaos/link';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const BANNER_WITHIN_MS = 10_000;

describe('outage of Redis', () => {
  let postgres: OwnPostgres;
  let redis: OwnRedis;
  let system: System;
  let browser: BrowserSession;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([OwnPostgres.create({ durable: false }), OwnRedis.create()]);
    system = await System.start({
      backend: 'redis',
      databaseUrl: postgres.url('postgres'),
      redisUrl: redis.url,
      workers: 0,
    });
    // Every key but the bootstrap key is stored in PostgreSQL only.
    browser = await BrowserSession.openAs(system, 'viewer');
    await browser.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
    await Promise.all([postgres.remove(), redis.remove()]);
  });

  const banner = (title: string) => browser.page.getByRole('alert').filter({ hasText: title });
  const shown = (title: string, timeout?: number) =>
    banner(title).waitFor(timeout === undefined ? {} : { timeout });
  const gone = (title: string) => banner(title).waitFor({ state: 'hidden' });

  it('a banner shows that Redis is down, since when, the effect and what to check', async () => {
    await redis.stop({ hard: true });
    await shown('Redis is down', BANNER_WITHIN_MS);
    const words = await banner('Redis is down').innerText();
    expect(words).toMatch(/Down for \d+ (ms|s) \(since \d\d:\d\d:\d\d\)\./);
    expect(words).toContain('Nothing new is sent. Status changes are still accepted and kept.');
    expect(words).toContain('Check: is the server up, is its memory full, can this machine reach it');
    expect(words).toContain('Nothing has to be restarted.');
    expect(words).toMatch(/Error: .*(ECONNREFUSED|closed|unreachable)/);
    await browser.page.getByText('Sending is stopped: Redis is down').waitFor();
    expect(await browser.page.getByText('Sending is on').count()).toBe(0);
    await browser.screenshot('night-9-redis-1280-light');
    expect(await browser.accessibilityFaults()).toEqual([]);
  });

  it('removes the banner when Redis is up again', async () => {
    await redis.start();
    await gone('Redis is down');
    await waitUntil(async () => (await browser.page.getByRole('alert').count()) <= 1, {
      what: 'at most the banner about the missing worker to remain',
    });
    expect(await browser.page.getByText('Redis is down').count()).toBe(0);
  });

  it('shows a banner for each of PostgreSQL and Redis, also after a reload', async () => {
    await Promise.all([redis.stop({ hard: true }), postgres.stop({ hard: true })]);
    await shown('PostgreSQL is down');
    await shown('Redis is down');
    await browser.page.reload();
    await shown('Redis is down');
    await shown('PostgreSQL is down');
    await Promise.all([postgres.start(), redis.start()]);
    await gone('Redis is down');
    await gone('PostgreSQL is down');
    expect(new URL(browser.page.url()).pathname).toBe('/');
  });

  it('the overview shows a worker that is cut off from PostgreSQL, for how long and what to check, until it is back', async () => {
    const { page } = browser;
    const url = new URL(system.databaseUrl);
    const link = await Link.open(Number(url.port));
    url.port = String(link.port);
    const [cutOff] = await Promise.all([
      system.startWorker({ DATABASE_URL: url.href }),
      system.startWorker(),
    ]);
    const clicks = await countClicks(page);
    link.set({ kind: 'blackhole' });
    const alert = page.getByRole('alert').filter({ hasText: 'A worker is missing' });
    await alert.getByText(new RegExp(`process ${String(cutOff.pid)}: silent for \\d+ s \\(since`)).waitFor();
    await alert
      .getByText(/It was killed, is suspended, or cannot reach PostgreSQL\. The other workers/)
      .waitFor();
    await page.getByText('Sending is on').waitFor();
    await browser.screenshot('night-11-worker-without-postgres');
    expect(await browser.accessibilityFaults()).toEqual([]);
    link.set({ kind: 'normal' });
    await alert.waitFor({ state: 'hidden' });
    expect(await clicks()).toBe(0);
    await cutOff.kill();
    await link.close();
  });

  it('opens screens that were never visited while the api does not answer', async () => {
    const { page } = browser;
    await waitUntil(
      () =>
        page.evaluate<boolean>(
          `performance.getEntriesByType('resource').some(({ name }) => name.includes('deliveries-page'))`,
        ),
      { what: 'the code of the other screens to be loaded' },
    );
    await system.api.kill('SIGKILL');
    await shown('No answer from the api');
    expect(await banner('No answer from the api').innerText()).toMatch(
      /The last answer came at \d\d:\d\d:\d\d\. What you see is not current\./,
    );
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await system.replaceApi();
    await gone('No answer from the api');
    await waitUntil(async () => (await page.getByRole('alert').count()) === 0, {
      what: 'every banner to disappear',
    });
    expect(new URL(page.url()).pathname).toBe('/deliveries');
  });
});
