const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The waits after attempts 1 to 12, in milliseconds: 13 attempts over about 72 hours. The default for consumers without their
 * own schedule.
 */
export const DEFAULT_RETRY_SCHEDULE_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  1 * HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** The longest wait a consumer can ask for with `Retry-After`. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** Each wait is spread over 80 % to 120 % of the schedule's, so that deliveries do not all reach a recovered consumer at once. */
const JITTER = 0.2;

export interface NextDelayInput {
  /** Milliseconds; entry `n` is the wait after attempt `n + 1`. */
  readonly schedule: readonly number[];
  /** Attempts made so far, at least 1. */
  readonly attemptsMade: number;
  /** Random number from the caller, uniform in [0, 1). */
  readonly random: number;
  /** The consumer's `Retry-After` (RFC 9110, 10.2.3), or null. */
  readonly retryAfterMs: number | null;
}

/**
 * Returns the wait before the next attempt.
 *
 * `Retry-After` lengthens the wait, up to {@link MAX_RETRY_AFTER_MS}, and never shortens it.
 *
 * @returns whole milliseconds, or null when the schedule is used up.
 * @throws RangeError when `attemptsMade` is not a positive integer: an internal error.
 */
export function nextDelayMs(input: NextDelayInput): number | null {
  const { schedule, attemptsMade, random, retryAfterMs } = input;
  if (!Number.isSafeInteger(attemptsMade) || attemptsMade < 1) {
    throw new RangeError(`attemptsMade must be a positive integer, not ${attemptsMade}`);
  }
  const scheduledMs = schedule[attemptsMade - 1];
  if (scheduledMs === undefined) return null;
  const jitteredMs = Math.round(scheduledMs * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
