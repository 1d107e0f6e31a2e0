import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseAwayError } from '#libs/database';

const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 2_000;

/**
 * Repeats `work` until PostgreSQL is back: the consumer has its notification, and only the record keeps it from
 * being sent a second time. Ends early, with the last fault, when the process stops.
 */
export async function persist<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFault: () => void,
): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MOST_DELAY_MS)) {
    try {
      return await work();
    } catch (error) {
      onFault();
      if (!(error instanceof DatabaseAwayError) || signal.aborted) throw error;
      // Rejects when aborted; the fault says more than the abort.
      await delay(delayMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
