import type { Page } from 'playwright-core';

/** Counts the clicks of a user on a page until it is reloaded. @returns a function that reads the count */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  // Synthetic clicks, such as that of a label on its field, have detail 0.
  await page.evaluate(
    `window.clicks = 0; addEventListener('click', (e) => { if (e.isTrusted && e.detail > 0) window.clicks += 1; }, true)`,
  );
  return async () => Number(await page.evaluate('window.clicks'));
}
