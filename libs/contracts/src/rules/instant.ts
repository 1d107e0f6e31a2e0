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
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (!isDay(year, month, day)) return null;
  if (tooLarge(hour, 23) || tooLarge(minute, 59) || tooLarge(second, 59)) return null;
  if (tooLarge(offsetHour, 23) || tooLarge(offsetMinute, 59)) return null;
  const at = new Date(text.replace(/(\.\d{3})\d+/, '$1'));
  const inRange = at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
  return inRange ? at : null;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  const [year, month, day] = (DATE.exec(text)?.slice(1) ?? []).map(Number);
  return isDay(year, month, day);
}

const tooLarge = (value: number | undefined, most: number): boolean => value === undefined || value > most;

function isDay(year: number | undefined, month: number | undefined, day: number | undefined): boolean {
  if (year === undefined || month === undefined || day === undefined) return false;
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}
