import { dayOf, instantOf, type Zone } from '../formats/moment-in-words';

const HOUR_MS = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Common time ranges in that zone. */
export function presets(now: number, zone: Zone) {
  const today = dayOf(new Date(now), zone);
  const evening = instantOf(`${today}T22:00`, zone);
  const hasBegun = now >= Date.parse(evening);
  const yesterday = neighbour(today, -1);
  const last = { from: instantOf(`${yesterday}T22:00`, zone), to: instantOf(`${today}T06:00`, zone) };
  const midnight = instantOf(`${today}T00:00`, zone);
  const tonight = { from: evening, to: instantOf(`${neighbour(today, 1)}T06:00`, zone) };
  const isNight = hasBegun || now < Date.parse(last.to);
  return [
    { label: 'Last hour', from: iso(now - HOUR_MS), to: '' },
    { label: `${isNight ? 'Tonight' : 'Last night'} 22:00–06:00`, ...(hasBegun ? tonight : last) },
    { label: 'Today', from: midnight, to: '' },
    { label: 'Yesterday', from: instantOf(`${yesterday}T00:00`, zone), to: midnight },
    { label: 'Last 24 hours', from: iso(now - 24 * HOUR_MS), to: '' },
    { label: 'Last 7 days', from: iso(now - 7 * 24 * HOUR_MS), to: '' },
  ];
}

const neighbour = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(`${day}T12:00Z`) + days * 24 * HOUR_MS), 'UTC');
