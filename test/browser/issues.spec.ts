import type { IssueListDto } from '#apps/api/src/resources/issues/issue.dto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSession } from '#test/support/browser-session';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const NAME = 'Osprey Metals';

let system: System;
let customer: Customer;
let browser: BrowserSession;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  customer = await Customer.onboard(system.client, {
    name: NAME,
    contact: 'desk@osprey.example',
    behaviour: () => ({ status: 410 }),
  });
  await system.client.accept(achChange(customer.company, 'PAY-1'));
  await evaluatedUntil('open');
  browser = await BrowserSession.open(system.api.baseUrl);
  await browser.signIn(await keyOf('olga', 'oncall'));
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

async function keyOf(name: string, role: string): Promise<string> {
  const body = { name, roles: [role] };
  return (await system.client.call<{ key: string }>('POST', '/v1/api-keys', body)).body.key;
}

/** Waits until the only issue has this state; the evaluation would otherwise take up to 15 s. */
const evaluatedUntil = (state: string) =>
  waitUntil(
    async () => {
      await runSql(system.databaseUrl, `update schedules set next_at = now() where name = 'health_issues'`);
      const { body } = await system.client.call<IssueListDto>('GET', '/v1/issues');
      return body.issues[0]?.state === state;
    },
    { what: `the issue to be ${state}`, everyMs: 200 },
  );

describe('issues in the console', () => {
  it('on-call staff find an open issue on the overview, and acknowledge it with a note', async () => {
    const { page } = browser;
    await page.getByText('1 open issue', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'See open issues' }).click();
    await page.getByRole('heading', { name: 'Issues', exact: true }).waitFor();
    const row = page.getByRole('row', { name: NAME });
    expect(await row.innerText()).toContain('Unplanned pause');
    expect(await row.innerText()).toContain('410 Gone');
    await row.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByLabel('Note').fill('they change their address');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('No issue matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row.getByText('Acknowledged by olga').waitFor();
    await row.getByText('Note: they change their address').waitFor();
    await browser.screenshot('issues');
  });

  it('an issue’s own screen and its consumer’s show who takes care of it, and what to do', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'Unplanned pause' }).click();
    await page.getByRole('heading', { name: `Unplanned pause: ${NAME}` }).waitFor();
    await page.getByText('Ask the contact for the new URL').waitFor();
    expect(await page.getByRole('link', { name: 'desk@osprey.example' }).getAttribute('href')).toBe(
      'mailto:desk@osprey.example',
    );
    await browser.screenshot('issue');
    await page.getByRole('link', { name: `${NAME}: its present health` }).click();
    await page.getByText('acknowledged by olga: they change their address').waitFor();
  });

  it.each(['/issues', 'the screen of the issue'])('%s is accessible, and fits a phone', async (path) => {
    const { page } = browser;
    await browser.visit('/issues');
    if (path !== '/issues') await page.getByRole('link', { name: 'Unplanned pause' }).click();
    await page.getByText('Acknowledged by olga').waitFor();
    expect(await browser.accessibilityFaults()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await waitUntil(() => browser.fitsTheWidth(), { what: 'the page to fit the width' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('a viewer reads issues without buttons', async () => {
    const viewer = await BrowserSession.open(system.api.baseUrl);
    await viewer.signIn(await keyOf('vera', 'viewer'), '/issues');
    await viewer.page.getByRole('row', { name: NAME }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /Acknowledge|Resolve/ }).count()).toBe(0);
    await viewer.close();
  });

  it('an unknown filter value in the address is named and ignored', async () => {
    await browser.visit('/issues?state=asleep');
    await browser.page.getByText('state=asleep is not a known filter value and was ignored.').waitFor();
    await browser.page.getByRole('row', { name: NAME }).waitFor();
    expect(await browser.page.getByRole('row').count()).toBe(2);
  });

  it('an issue is shown as resolved automatically when its condition has ended', async () => {
    const { page } = browser;
    customer.behave(() => ({}));
    await system.client.resumeConsumer(customer.consumerId);
    await evaluatedUntil('resolved');
    await browser.visit('/issues?state=resolved');
    await page.getByRole('row', { name: NAME }).getByText('Resolved automatically').waitFor();
    expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    await browser.visit('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('open issue').waitFor({ state: 'hidden' });
  });
});
