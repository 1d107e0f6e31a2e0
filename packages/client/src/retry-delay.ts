/** The longest wait before the second try, in ms; it doubles with every further try. */
const FIRST_MS = 200;
/** The longest wait between two tries, in ms, unless `Retry-After` requires more. */
const MAX_MS = 10_000;

/**
 * The time to wait after a number of failed tries: exponential, with full jitter, so that producers that failed together
 * do not return together.
 * @param failures from 1
 * @returns ms
 */
export function retryDelayMs(failures: number, random: () => number = Math.random): number {
  return random() * Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
}

/**
 * The time that an answer's `Retry-After` requires, in either form (RFC 9110, section 10.2.3): seconds, or a date.
 * @returns ms from now; 0 when it is absent, malformed or past
 */
export function retryAfterMs(value: string | null, nowMs: number): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  // Every form of an HTTP-date begins with the name of a day. Date.parse also reads "-1" and "1.5", as dates.
  const at = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
