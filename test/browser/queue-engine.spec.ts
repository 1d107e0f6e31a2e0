import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { achExample } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { BrowserSession } from '#test/support/browser-session';
import { QUEUE_BACKENDS, System } from '#test/support/system';

describe.each(QUEUE_BACKENDS)('the queue’s engine on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend, workers: 0 });
    await system.client.registerConsumer({
      name: 'Acme',
      url: 'https://consumer.example/hook',
      eventTypes: ['ach.status'],
      allPayments: true,
      credentials: { username: 'bank', password: 'secret' },
    });
    await system.client.accept(achExample());
  });
  afterAll(() => system.stop());

  let browser: BrowserSession;
  beforeEach(async () => {
    browser = await BrowserSession.open(system.api.baseUrl);
  });
  afterEach(() => browser.close());

  it('is shown to whoever may view, with the way back, and asks nobody else', async () => {
    await browser.signIn(system.adminKey);
    await browser.visit('/queue-engine/queue/deliveries');
    await browser.page.getByText('deliver', { exact: true }).first().waitFor();
    await browser.screenshot(`queue-engine-${backend}`);
    expect(await browser.page.title()).toContain('Engine internals');
  });

  it('is closed to strangers, to roles without a view, and to every change', async () => {
    await browser.visit('/queue-engine');
    await browser.page.getByLabel('API key').waitFor();
    const status = async (client: ApiClient, method: string, path: string): Promise<number> =>
      (await client.call(method, `/queue-engine${path}`)).status;
    const { body } = await system.client.call<{ key: string }>('POST', '/v1/api-keys', {
      name: 'hub',
      roles: ['producer'],
    });
    expect(await status(new ApiClient(system.api.baseUrl, 'wrong'), 'GET', '/api/queues')).toBe(401);
    expect(await status(new ApiClient(system.api.baseUrl, body.key), 'GET', '/api/queues')).toBe(403);
    expect(await status(system.client, 'GET', '/api/queues')).toBe(200);
    expect(await status(system.client, 'PUT', '/api/queues/deliveries/pause')).toBe(405);
  });
});
