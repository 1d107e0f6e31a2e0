import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { addToFailureReport } from '#test/support/failure-report';
import { programPath } from '#test/support/chromium-path';
import { LONGEST_WAIT_MS } from '#test/support/wait-until';

export interface BrowserOptions {
  /** Of the window, in CSS pixels; 1280 unless told. */
  width?: number;
  colorScheme?: 'light' | 'dark';
  /** In CSS pixels; 800 unless told. */
  height?: number;
  /** Where it is, e.g. `America/New_York`; where the test runs unless told. */
  timezone?: string;
  /** Hosts that its pages may lead to, beside the console's. */
  alsoVisits?: readonly string[];
}

const HEIGHT = 800;

/** What was refused or not answered is shown in words by the page, a call to the api or the page itself; the browser logs it as well. */
const REFUSED_CALL = /^Failed to load resource/;

/** One browser for all files of a test process, which ends it: to start one takes longer than most tests. */
let browser: Promise<Browser> | undefined;

/**
 * Somebody with a browser of their own in front of the console. Whoever opens one closes it, and learns then whether a
 * page misbehaved.
 */
export class BrowserSession {
  /** What no page of ours may do: errors in the console (broken policies are among them), other hosts asked. */
  private readonly seen: string[] = [];
  /** A timeout says what was awaited; a failed test's log shows what was there instead. */
  private readonly stopReporting: () => void;

  static async open(
    baseUrl: string,
    { width = 1280, height = HEIGHT, colorScheme, timezone, alsoVisits = [] }: BrowserOptions = {},
  ): Promise<BrowserSession> {
    browser ??= chromium.launch({
      executablePath: programPath(),
      // Chromium refuses to run as root with its sandbox.
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    const context = await (
      await browser
    ).newContext({
      baseURL: baseUrl,
      viewport: { width, height },
      reducedMotion: 'reduce',
      ...(colorScheme === undefined ? {} : { colorScheme }),
      ...(timezone === undefined ? {} : { timezoneId: timezone }),
    });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    return new BrowserSession([new URL(baseUrl).host, ...alsoVisits], context, await context.newPage());
  }

  private constructor(
    hosts: readonly string[],
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.stopReporting = addToFailureReport(async () => {
      const shown = await page
        .locator('body')
        .ariaSnapshot({ timeout: 5_000 })
        .catch((error: unknown) => String(error));
      return `${page.url()} shows:\n${shown}`;
    });
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && !hosts.includes(url.host)) this.seen.push(`a request to ${url.host}`);
    });
    context.on('console', (message) => {
      const { url } = message.location();
      const isOfOurs =
        (URL.parse(url)?.pathname.startsWith('/v1/') ?? false) || url === message.page()?.url();
      const isRefusedCall = REFUSED_CALL.test(message.text()) && isOfOurs;
      if (['error', 'warning'].includes(message.type()) && !isRefusedCall)
        this.seen.push(`${message.type()} in the console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.seen.push(`uncaught: ${String(error.error())}`));
  }

  /** Opens a path of the console. */
  async visit(path: string): Promise<void> {
    await this.page.goto(path);
  }

  /** Signs in with a key, from wherever it is, and returns when a screen is shown. */
  async signIn(key: string, path = '/'): Promise<void> {
    await this.visit(path);
    await this.typeKey(key);
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
  }

  /** Fills in the sign-in page and sends it. */
  async typeKey(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /**
   * What an accessibility check finds wrong with the page as it is (axe, WCAG 2.2 A and AA). `colours`: only what the
   * colour scheme decides, of a page that was checked in the other one.
   */
  async accessibilityFaults(scope: 'everything' | 'colours' = 'everything'): Promise<string[]> {
    // Of what is in order nobody reads a word, and pages without foreign frames need no second page to sum them up.
    const axe = new AxeBuilder({ page: this.page }).options({ resultTypes: ['violations'] }).setLegacyMode();
    const { violations } = await (
      scope === 'colours'
        ? axe.withRules(['color-contrast', 'link-in-text-block'])
        : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    ).analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  }

  /** Whether everything fits into the window's width. */
  async fitsTheWidth(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
  }

  /** Takes a picture into the folder SCREENSHOTS, if it is given. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS'];
    if (folder === undefined) return;
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  /** @throws when a page did what it must not */
  async close(): Promise<void> {
    this.stopReporting();
    await this.context.close();
    if (this.seen.length > 0) throw new Error(`The console misbehaved:\n${this.seen.join('\n')}`);
  }
}
