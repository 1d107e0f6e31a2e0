import { expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { countClicks } from '#test/support/count-clicks';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const TRACE_NUMBER = '091000018887766';

it('proves to a consumer that its server acknowledged a notification, with request, answer, time and address, in 4 clicks', async () => {
  const system = await System.shared(1);
  const acme = await Customer.onboard(system.client, { name: 'Kingfisher Foods' });
  const ach = achChange(acme.company, 'ACH-S-700', 'RETURN');
  ach.data.achEventInfo.traceNumber = TRACE_NUMBER;
  const seen = await system.client.accept(ach);
  await system.client.waitForState(seen, 'delivered');
  const browser = await BrowserSession.openAs(system, 'oncall');
  const { page } = browser;
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const clicks = await countClicks(page);
  await page.keyboard.press('Control+k');
  await browser.waitForFocus(page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox'));
  await page.keyboard.type(TRACE_NUMBER);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ACH payment ACH-S-700', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Kingfisher Foods', exact: true }).last().click();
  await page.getByText('Acknowledged (HTTP 200)').waitFor();
  await page.getByText(/sent to the address 127\.0\.0\.1, signed with version 1/).waitFor();
  await page.getByRole('button', { name: 'What was sent and answered in attempt 1' }).click();
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as text' }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  const text = String(await page.evaluate('navigator.clipboard.readText()'));
  const { headers = {} } = acme.arrivals[0]?.request ?? {};
  expect(text).toContain('RETURN of payment ACH-S-700 to Kingfisher Foods, attempt 1');
  expect(text).toContain(`notificationId: ${seen.notificationId}`);
  expect(text).toMatch(/^POST http:\/\/\S+\nSent at \S+Z to the address 127\.0\.0\.1$/m);
  expect(text).toContain(`x-timestamp: ${String(headers['x-timestamp'])}`);
  expect(text).toMatch(/^Acknowledged \(HTTP 200\) after \d+ ms$/m);
  for (const secret of [String(headers['authorization']), String(headers['x-signature'])])
    expect(text).not.toContain(secret);
  expect(await clicks()).toBeLessThanOrEqual(4);
  await Promise.all([browser.close(), system.stop()]);
});
