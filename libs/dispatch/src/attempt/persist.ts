import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseAwayError, isRefusal, isTransient, type AttemptResult } from '#libs/database';

const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 2_000;

/**
 * Records a result, and repeats it until PostgreSQL is back: the consumer has its notification, and only the record
 * keeps it from being sent a second time. What the database refuses to hold (a consumer's odd header or body) is
 * recorded without it. Ends early, with the last fault, when the process stops.
 */
export async function persist<T>(
  record: (result: AttemptResult) => Promise<T>,
  given: AttemptResult,
  { signal, onFault }: { readonly signal: AbortSignal; readonly onFault: () => void },
): Promise<T> {
  let result = given;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MOST_DELAY_MS)) {
    try {
      return await record(result);
    } catch (error) {
      onFault();
      if (isRefusal(error) && result === given) {
        result = withoutEvidence(given);
        continue;
      }
      const passes = error instanceof DatabaseAwayError || isTransient(error);
      if (!passes || signal.aborted) throw error;
      // Rejects when aborted; the fault says more than the abort.
      await delay(delayMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

const withoutEvidence = (result: AttemptResult): AttemptResult => ({
  ...result,
  detail: 'the answer could not be kept',
  responseHeaders: null,
  responseBody: null,
  clockSkewMs: null,
});
