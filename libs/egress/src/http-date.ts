const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const IMF_FIXDATE =
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/;
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const RFC_850 =
  /^[A-Z][a-z]+, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/;
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME =
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/;

/**
 * Reads an HTTP-date in any of the three forms that a recipient must accept (RFC 9110, 5.6.7).
 * Nothing else: `Date.parse` would make a year of `1`.
 *
 * @param nowMs our clock; a two-digit year is taken as at most 50 years ahead of it.
 * @returns Unix time in milliseconds, or null.
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  const match = IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text);
  const { day, month, year, time } = match?.groups ?? {};
  if (day === undefined || month === undefined || year === undefined || time === undefined) return null;
  const monthIndex = MONTHS.indexOf(month);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  // 60 is a leap second.
  if (monthIndex < 0 || hours > 23 || minutes > 59 || seconds > 60) return null;
  const fullYear = year.length === 2 ? expandYear(Number(year), nowMs) : Number(year);
  const date = new Date(0);
  date.setUTCFullYear(fullYear, monthIndex, Number(day));
  if (date.getUTCDate() !== Number(day)) return null;
  return date.setUTCHours(hours, minutes, seconds);
}

function expandYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
