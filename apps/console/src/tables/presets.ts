import { dayOf, instantOf, type Zone } from '../formats/moment-in-words';

export interface Preset {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

const HOUR_MS = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Spans of time that are wanted often, of the clock in that zone; the night is the one that is, or was last. */
export function presets(now: number, zone: Zone): readonly Preset[] {
  const today = dayOf(new Date(now), zone);
  const neighbour = (days: number): string =>
    dayOf(new Date(Date.parse(`${today}T12:00Z`) + days * 24 * HOUR_MS), 'UTC');
  const at = (day: string, time: string): string => instantOf(`${day}T${time}`, zone);
  const hasBegun = now >= Date.parse(at(today, '22:00'));
  const isNight = hasBegun || now < Date.parse(at(today, '06:00'));
  return [
    { label: 'Last hour', from: iso(now - HOUR_MS), to: '' },
    {
      label: `${isNight ? 'Tonight' : 'Last night'} 22:00–06:00`,
      from: at(hasBegun ? today : neighbour(-1), '22:00'),
      to: at(hasBegun ? neighbour(1) : today, '06:00'),
    },
    { label: 'Today', from: at(today, '00:00'), to: '' },
  ];
}
