/**
 * ISO 8601 in its extended form, as RFC 3339 profiles it, and the variants of Java's and .NET's formatters: without seconds,
 * with an offset as `+hh` or `+hhmm`. Nine digits of a fraction are nanoseconds, their finest unit.
 */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** For the OpenAPI document, whose format `date-time` would refuse an instant without seconds. */
export const INSTANT_PATTERN = INSTANT.source;

/**
 * Reads an ISO 8601 instant with an offset, on a real calendar day, from 1970 on. A fraction beyond milliseconds is
 * dropped.
 * @returns null for any other text; JavaScript's own parser reads 30 February as 2 March
 */
export function parseInstant(text: string): Date | null {
  const match = INSTANT.exec(text);
  if (match === null || !isDay(text)) return null;
  const [, day, hour, minute, second = '00', fraction = '', sign, offsetHour, offsetMinute = '00'] = match;
  const offset = sign === undefined ? 'Z' : `${sign}${String(offsetHour)}:${offsetMinute}`;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const at = new Date(`${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  const inRange = at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
  return inRange ? at : null;
}

/**
 * The instant in a checked text.
 * @throws RangeError for any other text: an error of the caller
 */
export function instantOf(checked: string): Date {
  const at = parseInstant(checked);
  if (at === null) throw new RangeError('An instant was read before it was checked.');
  return at;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => DATE.test(text) && isDay(text);

/** The number in two digits. By character codes, since slices cost more than the rest of the check. */
const twoDigits = (text: string, at: number): number =>
  text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - ZEROES;
const ZEROES = '0'.charCodeAt(0) * 11;

/** Whether a text that begins like `YYYY-MM-DD` begins with a day of the calendar. */
function isDay(text: string): boolean {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
