import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSession } from '#test/support/browser-session';
import { OwnPostgres } from '#test/support/own-postgres';
import { OwnRedis } from '#test/support/own-redis';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

describe('when the ground is missing', () => {
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
    browser = await BrowserSession.open(system.api.baseUrl);
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
    await Promise.all([postgres.remove(), redis.remove()]);
  });

  const banner = (title: string) => browser.page.getByRole('alert').filter({ hasText: title });
  const shown = (title: string) => banner(title).waitFor();
  const gone = (title: string) => banner(title).waitFor({ state: 'hidden' });

  it('whoever is signed in is told what, since when, and what to do, also after a reload', async () => {
    // Any key but the first one stands in PostgreSQL only.
    const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
      name: 'vera',
      roles: ['viewer'],
    });
    await browser.signIn(body.key, '/deliveries');

    await redis.stop({ hard: true });
    await shown('Redis is down');
    expect(await banner('Redis is down').innerText()).toMatch(
      /Since .* UTC\).*accepted without it, and kept/s,
    );
    await browser.page.getByRole('link', { name: 'Overview' }).click();
    await browser.page.getByRole('main').getByText('Sending is stopped: Redis is down').waitFor();
    await browser.page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await postgres.stop({ hard: true });
    await shown('PostgreSQL is down');
    await browser.screenshot('outage-1280-light');
    expect(await browser.accessibilityFaults()).toEqual([]);

    await browser.page.reload();
    await shown('Redis is down');
    await shown('PostgreSQL is down');

    await Promise.all([postgres.start(), redis.start()]);
    await gone('Redis is down');
    await gone('PostgreSQL is down');
  });

  it('and when the api itself does not answer', async () => {
    await system.api.kill('SIGKILL');
    await shown('No answer from the api');
    await system.replaceApi();
    await gone('No answer from the api');
    await waitUntil(async () => (await browser.page.getByRole('alert').count()) === 0, {
      what: 'the screen to have recovered',
    });
    expect(new URL(browser.page.url()).pathname).toBe('/deliveries');
  });
});
