import { MAX_RETRY_AFTER_MS } from '#libs/policy';

const DELAY_SECONDS = /^\d+$/;
/** Network delay and whole seconds make smaller differences. */
const NOTABLE_SKEW_MS = 60_000;

/**
 * How long a consumer asks the dispatcher to wait (RFC 9110, 10.2.3): seconds, or an HTTP-date.
 *
 * @param header the value of `Retry-After`, or undefined.
 * @param nowMs when the answer arrived, by the dispatcher's clock.
 * @returns 0 to {@link MAX_RETRY_AFTER_MS}; null when absent or malformed.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (DELAY_SECONDS.test(header)) return Math.min(Number(header) * 1_000, MAX_RETRY_AFTER_MS);
  const dateMs = parseHttpDate(header);
  return dateMs === null ? null : Math.min(Math.max(dateMs - nowMs, 0), MAX_RETRY_AFTER_MS);
}

/**
 * The difference between a consumer's clock and the dispatcher's, the likeliest cause of refused signatures: a consumer
 * refuses a timestamp that is more than 5 minutes old or ahead by its own clock.
 *
 * @param header the value of `Date` (RFC 9110, 6.6.1), or undefined.
 * @param nowMs when the answer arrived, by the dispatcher's clock.
 * @returns the consumer's clock minus the dispatcher's, in milliseconds; null when within a minute, absent or malformed.
 */
export function clockSkewMs(header: string | undefined, nowMs: number): number | null {
  const dateMs = header === undefined ? null : parseHttpDate(header);
  if (dateMs === null || Math.abs(dateMs - nowMs) <= NOTABLE_SKEW_MS) return null;
  return dateMs - nowMs;
}

/**
 * Reads an HTTP-date as an IMF-fixdate (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. It is what
 * `Date.toUTCString` writes; comparing with that rejects all else that `Date.parse` accepts, such as `1` or 31 February.
 * The two obsolete forms are not read.
 *
 * @returns Unix time in milliseconds, or null.
 */
export function parseHttpDate(text: string): number | null {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toUTCString() === text ? at : null;
}
