/** The first wait; it doubles with each attempt. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** A message is given up at this age. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

/**
 * When a channel's message is sent again.
 * @param attempts how many have failed, from 1
 * @param retryAfterMs what the receiver has asked for; null: nothing
 * @returns null when it is given up
 */
export function nextMessageAttempt(
  attempts: number,
  createdAt: Date,
  now: Date,
  retryAfterMs: number | null,
): Date | null {
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  const next = now.getTime() + Math.max(waitMs, retryAfterMs ?? 0);
  return next - createdAt.getTime() > GIVEN_UP_AFTER_MS ? null : new Date(next);
}
