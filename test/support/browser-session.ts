import { join } from 'node:path';
import type { Role } from '#libs/contracts';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { addToFailureReport } from '#test/support/failure-report';
import { chromiumPath } from '#test/support/chromium-path';
import type { System } from '#test/support/system';
import { LONGEST_WAIT_MS } from '#test/support/wait-until';

export interface BrowserOptions {
  /** Width of the window in CSS pixels; 1280 by default. */
  width?: number;
  colorScheme?: 'light' | 'dark';
  /** Height of the window in CSS pixels; 800 by default. */
  height?: number;
  /** The browser's time zone, e.g. `America/New_York`; by default the machine's. */
  timezone?: string;
  /** False: pages run no JavaScript. */
  javaScript?: boolean;
  /** Hosts that a page may send requests to, in addition to the console's. */
  otherHosts?: readonly string[];
}

const HEIGHT = 800;

/** The browser's log entry for a refused or failed request. The console shows such a failure itself, so it is no fault. */
const REFUSED_CALL = /^Failed to load resource/;

/** One browser for all files of a test process: starting one takes longer than most tests. It ends with the process. */
let browser: Promise<Browser> | undefined;

/** A browser context of its own on the console. The caller closes it; closing fails if a page misbehaved. */
export class BrowserSession {
  /** Misbehaviour: browser console errors, including policy violations, and requests to other hosts. */
  private readonly seen: string[] = [];
  /** Requests without an answer. A page that is left cancels its own, so that they are no misbehaviour. */
  private readonly failed: string[] = [];
  /** A timeout names only what was awaited; the failure report also shows what the page contained. */
  private readonly stopReporting: () => void;

  static async open(
    baseUrl: string,
    {
      width = 1280,
      height = HEIGHT,
      colorScheme,
      timezone,
      javaScript = true,
      otherHosts = [],
    }: BrowserOptions = {},
  ): Promise<BrowserSession> {
    browser ??= chromium.launch({
      executablePath: chromiumPath(),
      args: [
        '--disable-gpu',
        // A page lives for seconds. Compilers that optimise long-running code cost a tenth of the processor time.
        '--js-flags=--no-opt,--no-maglev',
        // Chromium refuses to run as root with its sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
    const context = await (
      await browser
    ).newContext({
      baseURL: baseUrl,
      viewport: { width, height },
      reducedMotion: 'reduce',
      javaScriptEnabled: javaScript,
      ...(colorScheme === undefined ? {} : { colorScheme }),
      ...(timezone === undefined ? {} : { timezoneId: timezone }),
    });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    return new BrowserSession([new URL(baseUrl).host, ...otherHosts], context, await context.newPage());
  }

  /** Opens the console of a system, signed in with a new key of this role. */
  static async openAs(
    { api, client }: System,
    role: Role,
    { name = role, path = '/', ...options }: BrowserOptions & { name?: string; path?: string } = {},
  ): Promise<BrowserSession> {
    const session = await BrowserSession.open(api.baseUrl, options);
    await session.signIn((await client.createKey(name, role)).key, path);
    return session;
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
      return [`${page.url()} shows:`, shown, ...this.seen, ...this.failed].join('\n');
    });
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && !hosts.includes(url.host)) this.seen.push(`a request to ${url.host}`);
    });
    context.on('console', (message) => {
      const { url } = message.location();
      const isApiOrPage =
        (URL.parse(url)?.pathname.startsWith('/v1/') ?? false) || url === message.page()?.url();
      const isRefusedCall = REFUSED_CALL.test(message.text()) && isApiOrPage;
      if (['error', 'warning'].includes(message.type()) && !isRefusedCall)
        this.seen.push(`${message.type()} in the console: ${message.text()}`);
    });
    context.on('requestfailed', (request) =>
      this.failed.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText ?? ''}`),
    );
    context.on('weberror', (error) => this.seen.push(`uncaught: ${String(error.error())}`));
  }

  /** Opens a path of the console. */
  async visit(path: string): Promise<void> {
    await this.page.goto(path);
  }

  /** Starts a session as the sign-in page does, without showing that page; then opens a path and waits for its screen. */
  async signIn(key: string, path = '/'): Promise<void> {
    const answer = await this.context.request.post('/v1/session', { data: { apiKey: key } });
    if (!answer.ok()) throw new Error(`The sign-in was refused: ${String(answer.status())}`);
    await this.visit(path);
    await this.waitForScreen();
  }

  /** Opens a path, signs in on the sign-in page, and waits for a screen. */
  async signInOnPage(key: string, path = '/'): Promise<void> {
    await this.visit(path);
    await this.typeKey(key);
    await this.waitForScreen();
  }

  private async waitForScreen(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
  }

  /** Submits the sign-in page with this key. */
  async typeKey(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Opens the editor of a filter that is not set. */
  async addFilter(label: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add filter' }).click();
    await this.page.getByRole('menuitem', { name: label, exact: true }).click();
  }

  /** Waits until a field has the focus: a dialog gives it after it has become visible. */
  async waitForFocus(field: Locator): Promise<void> {
    await field.and(this.page.locator(':focus')).waitFor();
  }

  /**
   * The accessibility faults of the current page (axe, WCAG 2.2 A and AA). `colours` checks only what depends on the
   * colour scheme, for a page that was already checked in the other scheme.
   */
  async accessibilityFaults(scope: 'everything' | 'colours' = 'everything'): Promise<string[]> {
    // Passed rules are not reported. Pages without frames of other origins need no second page to merge results.
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

  /** Whether the page fits the window's width without horizontal scrolling. */
  async fitsTheWidth(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
  }

  /** Saves a screenshot in the folder SCREENSHOTS, if that variable is set. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS'];
    if (folder === undefined) return;
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  /** @throws when a page misbehaved */
  async close(): Promise<void> {
    this.stopReporting();
    await this.context.close();
    if (this.seen.length > 0) throw new Error(`The console misbehaved:\n${this.seen.join('\n')}`);
  }
}
