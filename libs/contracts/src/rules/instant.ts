const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](\d{2}):(\d{2}))$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The patterns alone, for the OpenAPI document. */
export const INSTANT_PATTERN = INSTANT.source;

/**
 * Reads an ISO 8601 instant with an offset, on a real calendar day, from 1970 on. A fraction beyond milliseconds is
 * dropped.
 * @returns null for anything else; JavaScript's own parser would move 30 February into March
 */
export function parseInstant(text: string): Date | null {
  if (!INSTANT.test(text) || !isDay(text)) return null;
  if (twoDigits(text, 11) > 23 || twoDigits(text, 14) > 59 || twoDigits(text, 17) > 59) return null;
  const offset = text.length - '00:00'.length;
  if (!text.endsWith('Z') && (twoDigits(text, offset) > 23 || twoDigits(text, offset + 3) > 59)) return null;
  const at = new Date(text.replace(/(\.\d{3})\d+/, '$1'));
  const inRange = at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
  return inRange ? at : null;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => DATE.test(text) && isDay(text);

/** The number that stands in two digits. Every event passes here: to slice them out takes longer than all the rest. */
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
