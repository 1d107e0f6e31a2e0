/** A zone as `Intl` names it: `UTC`, `America/New_York`. */
export type Zone = string;
export const UTC: Zone = 'UTC';
export const localZone = (): Zone => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `UTC`, `New York`: short enough for a label. */
export const zoneLabel = (zone: Zone): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Creating a format takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatted(at: Date, locale: string, timeZone: Zone, fields: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${timeZone} ${Object.keys(fields).join()}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { timeZone, hourCycle: 'h23', ...fields });
    formats.set(key, format);
  }
  return format.format(at);
}

const DATE = { day: 'numeric', month: 'short' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** `2026-11-22`: the day of a moment in that zone. */
export const dayOf = (at: Date, zone: Zone): string =>
  formatted(at, 'sv-SE', zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).padStart(10, '0');

/** `04:48:25` today, `22 Nov 04:48:25` on another day, with the year in another year. `today`: from `dayOf`. */
export function shortMoment(at: Date, zone: Zone, today: string): string {
  const day = dayOf(at, zone);
  const time = formatted(at, 'en-GB', zone, TIME);
  if (day === today) return time;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return `${formatted(at, 'en-GB', zone, isThisYear ? DATE : { ...DATE, year: 'numeric' })} ${time}`;
}

/** `22 Nov 2026, 04:48:25 UTC`: for texts that are read later or elsewhere. */
export const fullMoment = (at: Date, zone: Zone): string =>
  `${formatted(at, 'en-GB', zone, { ...DATE, year: 'numeric' })}, ${formatted(at, 'en-GB', zone, TIME)} ${zoneLabel(zone)}`;

/** The moment in UTC and, if different, in the browser's zone. */
export const bothZones = (at: Date): string =>
  [...new Set([UTC, localZone()])].map((zone) => fullMoment(at, zone)).join(' = ');

/** For an axis: `04:48` and `22 Nov`. */
export const hourAndMinute = (at: Date, zone: Zone): string => formatted(at, 'en-GB', zone, HOUR);
export const dayAndMonth = (at: Date, zone: Zone): string => formatted(at, 'en-GB', zone, DATE);
const HOUR = { hour: '2-digit', minute: '2-digit' } as const;

/** The value of a datetime-local field, `2026-11-22T04:48`, with seconds unless zero; empty for an invalid instant. */
export function fieldOf(instant: string, zone: Zone): string {
  const at = new Date(instant);
  if (instant === '' || Number.isNaN(at.getTime())) return '';
  const time = formatted(at, 'sv-SE', zone, TIME);
  const ms = at.getTime() % 1_000;
  const rest = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`;
  return `${dayOf(at, zone)}T${rest === '' ? time.replace(/:00$/, '') : `${time}${rest}`}`;
}

/** The instant in UTC of such a value in that zone; empty for an empty or invalid one. */
export function instantOf(field: string, zone: Zone): string {
  const meant = Date.parse(`${field}Z`);
  if (Number.isNaN(meant)) return '';
  // The first step corrects by the zone's offset; the second one by the offset after a clock change.
  let at = meant;
  for (let round = 0; round < 2; round += 1) at += meant - Date.parse(`${fieldOf(isoOf(at), zone)}Z`);
  return isoOf(at);
}

const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
