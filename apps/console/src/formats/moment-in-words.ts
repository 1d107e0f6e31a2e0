import { durationInWords } from './duration-in-words';

const UTC = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const LOCAL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `20 Nov 2025, 09:30:12 UTC`: how logs and colleagues elsewhere have it. */
export const inUtc = (at: Date): string => `${UTC.format(at)} UTC`;

/** The same moment on the reader's own clock, with its zone. */
export const inLocalTime = (at: Date): string => LOCAL.format(at);

/** `3 min ago`, `in 20 s`, `just now`; days and hours are not mixed with seconds. */
export function fromNow(at: Date, now: number): string {
  const ms = now - at.getTime();
  if (Math.abs(ms) < 5_000) return 'just now';
  const [first = '', unit = ''] = durationInWords(Math.abs(ms)).split(' ');
  return ms > 0 ? `${first} ${unit} ago` : `in ${first} ${unit}`;
}
