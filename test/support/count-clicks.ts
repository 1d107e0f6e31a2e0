import type { Page } from 'playwright-core';

/** Counts the clicks of a person on a page from now on, as long as it is not loaded anew. @returns how many so far */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  // Clicks that a program makes, as a label does on its field, have no detail.
  await page.evaluate(
    `window.clicks = 0; addEventListener('click', (e) => { if (e.isTrusted && e.detail > 0) window.clicks += 1; }, true)`,
  );
  return async () => Number(await page.evaluate('window.clicks'));
}
