import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { System } from '#test/support/system';

let system: System;
beforeAll(async () => {
  system = await System.shared(0);
});
afterAll(() => system.stop());

it('shows the API reference at /docs without requests to other hosts and without violations of the policy', async () => {
  const browser = await BrowserSession.open(system.api.baseUrl);
  await browser.visit('/docs');
  await browser.page.getByRole('heading', { name: 'Payment notification dispatcher' }).first().waitFor();
  await browser.page.getByRole('heading', { name: 'Announce a status change' }).first().waitFor();
  await browser.screenshot('api-reference');
  expect(await browser.page.title()).toContain('Payment notification dispatcher');
  // `close` fails when the page requested another host or logged an error, such as a refused script.
  await browser.close();
});
