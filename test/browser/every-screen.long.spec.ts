import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { BrowserSession } from '#test/support/browser-session';
import { createSampleData, PAYMENT, type SampleIds } from '#test/support/sample-data';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

interface Screen {
  readonly name: string;
  readonly path: (ids: SampleIds) => string;
}

/** Every screen; add new ones here. */
const SCREENS: readonly Screen[] = [
  { name: 'overview', path: () => '/' },
  { name: 'deliveries', path: () => '/deliveries' },
  { name: 'delivery', path: ({ deadDeliveryId }) => `/deliveries/${deadDeliveryId}` },
  { name: 'payments', path: () => '/payments' },
  { name: 'payment', path: () => `/payments/ach/${PAYMENT}` },
  { name: 'payments-unrouted', path: () => '/payments?unrouted=true' },
  { name: 'event', path: ({ notificationId }) => `/events/${notificationId}` },
  { name: 'consumers', path: () => '/consumers' },
  { name: 'consumer', path: ({ consumerId }) => `/consumers/${consumerId}` },
  { name: 'consumer-new', path: () => '/consumers/new' },
  { name: 'bulk-actions', path: () => '/bulk-actions' },
  { name: 'bulk-action', path: ({ bulkActionId }) => `/bulk-actions/${bulkActionId}` },
  { name: 'issues', path: () => '/issues' },
  { name: 'channels', path: () => '/channels' },
  { name: 'reports', path: () => '/reports' },
  { name: 'audit', path: () => '/audit' },
  { name: 'api-keys', path: () => '/api-keys' },
];

interface Dialog extends Screen {
  /** The buttons that open the dialog, in the order of the clicks. */
  readonly buttons: readonly string[];
}

const consumer = ({ consumerId }: SampleIds): string => `/consumers/${consumerId}`;
const delivery = ({ deadDeliveryId }: SampleIds): string => `/deliveries/${deadDeliveryId}`;
const event = ({ notificationId }: SampleIds): string => `/events/${notificationId}`;

/** Every dialog that a button opens; add new ones here. */
const DIALOGS: readonly Dialog[] = [
  { name: 'search', path: () => '/', buttons: ['Search'] },
  { name: 'pause of sending', path: () => '/', buttons: ['More actions', 'Pause sending …'] },
  { name: 'pause of a consumer', path: consumer, buttons: ['Pause'] },
  { name: 'test delivery', path: consumer, buttons: ['Send a test'] },
  { name: 'replay of a period', path: consumer, buttons: ['Replay a period …'] },
  { name: 'removal', path: consumer, buttons: ['Remove'] },
  { name: 'rotation', path: (ids) => `${consumer(ids)}?tab=credentials`, buttons: ['Rotate credentials'] },
  { name: 'consumer key', path: (ids) => `${consumer(ids)}?tab=keys`, buttons: ['Create key'] },
  { name: 'retry', path: delivery, buttons: ['Retry'] },
  { name: 'cancellation', path: delivery, buttons: ['Cancel'] },
  { name: 'settlement', path: delivery, buttons: ['Settle'] },
  { name: 'signature', path: delivery, buttons: ['Explain the signature'] },
  { name: 'replay of an event', path: event, buttons: ['Replay …'] },
  { name: 'cancellation of an event', path: event, buttons: ['Cancel everywhere …'] },
  { name: 'another consumer', path: event, buttons: ['Send to a consumer'] },
  { name: 'api key', path: () => '/api-keys', buttons: ['Create key'] },
];

/** The headings of a missing or failed screen. */
const NOT_A_SCREEN =
  /^(Page not found|No access|This screen failed|Nothing here yet|.* not found$|.* cannot be read)/;

/** Only wide windows are checked for accessibility: the check is slow, and a narrow window has the same elements. */
const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light', isChecked: true },
  { width: 1440, height: 900, colorScheme: 'dark', isChecked: true },
  { width: 390, height: 844, colorScheme: 'light', isChecked: false },
] as const;

let system: System;
let ids: SampleIds;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  ids = await createSampleData(system);
});
afterAll(() => system.stop());

describe.each(LOOKS)('$width px wide, $colorScheme', ({ width, height, colorScheme, isChecked }) => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await BrowserSession.open(system.api.baseUrl, { width, height, colorScheme });
    await browser.signIn(system.adminKey);
  });
  afterAll(() => browser.close());

  async function faultsOf(shown: BrowserSession, name: string): Promise<string[]> {
    await shown.screenshot(`${name}-${String(width)}-${colorScheme}`);
    const faults = isChecked
      ? await shown.accessibilityFaults(colorScheme === 'dark' ? 'colours' : 'everything')
      : [];
    return (await shown.fitsTheWidth()) ? faults : [...faults, 'the page is wider than the window'];
  }

  it.each(SCREENS)('the screen “$name” fits the window and is accessible', async ({ name, path }) => {
    await browser.visit(path(ids));
    await isShown(browser.page);
    expect(await faultsOf(browser, name)).toEqual([]);
  });

  it.each(DIALOGS)('dialog “$name” fits the window and is accessible', async ({ name, path, buttons }) => {
    const { page } = browser;
    await browser.visit(path(ids));
    await isShown(page);
    for (const button of buttons)
      await page
        .getByRole('button', { name: button, exact: true })
        .or(page.getByRole('menuitem', { name: button, exact: true }))
        .filter({ visible: true })
        .first()
        .click();
    await page.getByRole('dialog').getByRole('heading').first().waitFor();
    expect(await faultsOf(browser, `dialog-${name.replaceAll(' ', '-')}`)).toEqual([]);
  });

  it('the sign-in page fits the window and is accessible', async () => {
    const visitor = await BrowserSession.open(system.api.baseUrl, { width, colorScheme });
    try {
      await visitor.visit('/sign-in');
      await isShown(visitor.page);
      expect(await faultsOf(visitor, 'sign-in')).toEqual([]);
    } finally {
      await visitor.close();
    }
  });
});

/** Waits until a screen has its heading and its data. */
async function isShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntil(async () => (await page.getByText(/^Loading .* …$/).count()) === 0, {
    what: () => `${page.url()} to be loaded`,
  });
  expect(await page.getByText(NOT_A_SCREEN).allInnerTexts()).toEqual([]);
}
