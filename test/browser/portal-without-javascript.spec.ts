import { expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { registration } from '#test/support/registration';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const COMPANY = 'HERON-SHIPPING';

it('a consumer’s person without JavaScript is led to a page on which it signs in with the keyboard', async () => {
  const system = await System.shared(0);
  const { id } = await system.client.registerConsumer(
    registration({ name: 'Heron Shipping', achCompanyIds: [COMPANY] }),
  );
  const { body } = await system.client.call<{ key: string }>('POST', `/v1/consumers/${id}/keys`, {
    name: 'kim',
  });
  await system.client.accept(achChange(COMPANY, 'PAY-2'));
  // axe needs JavaScript, so the same page is checked in a browser that has it.
  const checked = await BrowserSession.open(system.api.baseUrl);
  const session = await BrowserSession.open(system.api.baseUrl, { javaScript: false });
  const { page } = session;
  try {
    await checked.visit('/portal/basic');
    expect(await checked.accessibilityFaults()).toEqual([]);
    await session.visit('/sign-in');
    await page.getByRole('link', { name: 'Use the page without JavaScript' }).click();
    await page.getByLabel('Your sign-in link').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(body.key);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Resend PAY-2/ }).waitFor();
    await session.screenshot('portal-basic');
    await checked.context.addCookies(await session.context.cookies());
    await checked.visit('/portal/basic');
    await checked.page.getByRole('heading', { name: 'Heron Shipping' }).waitFor();
    expect(await checked.accessibilityFaults()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  } finally {
    await Promise.all([session.close(), checked.close(), system.stop()]);
  }
}, 60_000);
