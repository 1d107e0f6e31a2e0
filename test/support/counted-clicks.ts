import type { Locator } from 'playwright-core';

/** Clicks as somebody on call does, and counts them. */
export class CountedClicks {
  count = 0;

  async on(target: Locator): Promise<void> {
    await target.click();
    this.count += 1;
  }
}
