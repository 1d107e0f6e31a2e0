import type { Locator } from 'playwright-core';

/** Clicks, and counts the clicks. */
export class CountedClicks {
  count = 0;

  async on(target: Locator): Promise<void> {
    await target.click();
    this.count += 1;
  }
}
