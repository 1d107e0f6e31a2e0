import { PENDING_LIMIT_MS } from './pending-too-long.js';

/** Maximum number of waits in a schedule; 50 waits are 51 attempts. */
export const MAX_RETRIES = 50;

/** The longest single wait: a week. */
export const MAX_RETRY_DELAY_S = 7 * 86_400;

/** The longest schedule: the time limit of a pending delivery. */
export const MAX_RETRY_SPAN_S = PENDING_LIMIT_MS / 1_000;

export interface RetryScheduleFault {
  /** `retrySchedule` or `retrySchedule[i]`. */
  readonly field: string;
  readonly message: string;
}

export type RetryScheduleCheck =
  | { readonly ok: true; readonly scheduleMs: readonly number[] }
  | { readonly ok: false; readonly faults: readonly RetryScheduleFault[] };

/**
 * The rule for a consumer's own retry schedule: 1 to {@link MAX_RETRIES} whole numbers of seconds,
 * each from 1 to {@link MAX_RETRY_DELAY_S}, together at most {@link MAX_RETRY_SPAN_S}.
 *
 * @param seconds the wait after attempt 1, 2, …
 * @returns the schedule in milliseconds, for `nextDelayMs`, or every fault at once.
 */
export function checkRetrySchedule(seconds: readonly number[]): RetryScheduleCheck {
  if (seconds.length < 1 || seconds.length > MAX_RETRIES) {
    const message = `must hold 1 to ${MAX_RETRIES} delays`;
    return { ok: false, faults: [{ field: 'retrySchedule', message }] };
  }
  const faults: RetryScheduleFault[] = seconds.flatMap((delayS, index) =>
    Number.isInteger(delayS) && delayS >= 1 && delayS <= MAX_RETRY_DELAY_S
      ? []
      : [
          {
            field: `retrySchedule[${index}]`,
            message: `must be a whole number of seconds from 1 to ${MAX_RETRY_DELAY_S}`,
          },
        ],
  );
  if (faults.length > 0) return { ok: false, faults };

  const spanS = seconds.reduce((sum, delayS) => sum + delayS, 0);
  if (spanS > MAX_RETRY_SPAN_S) {
    const message = `must add up to at most ${MAX_RETRY_SPAN_S} seconds (14 days)`;
    return { ok: false, faults: [{ field: 'retrySchedule', message }] };
  }
  return { ok: true, scheduleMs: seconds.map((delayS) => delayS * 1_000) };
}
