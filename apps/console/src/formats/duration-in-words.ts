const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** A duration in its largest unit and the next: `3 min 20 s`, `2 d 4 h`; below a second in `ms`. */
export function durationInWords(ms: number): string {
  if (ms < 1_000) return `${String(Math.max(0, Math.round(ms)))} ms`;
  const index = UNITS.findIndex((unit) => ms >= unit.ms);
  const [unit, next] = [UNITS[index], UNITS[index + 1]];
  if (unit === undefined) return '0 s';
  const whole = Math.floor(ms / unit.ms);
  const rest = next === undefined ? 0 : Math.floor((ms % unit.ms) / next.ms);
  return `${String(whole)} ${unit.name}${rest > 0 && next !== undefined ? ` ${String(rest)} ${next.name}` : ''}`;
}

/** The difference of a consumer's clock: `3 s ahead of ours`. */
export const skewInWords = (ms: number): string =>
  `${durationInWords(Math.abs(ms))} ${ms > 0 ? 'ahead of' : 'behind'} ours`;

/** A duration, or a dash for null. */
export const durationOrDash = (ms: number | null): string => (ms === null ? '–' : durationInWords(ms));

/** A moment by its distance from the present, negative for the past: `2 min ago`, `in 3 h`, `now`. */
export function agoInWords(ms: number): string {
  const distance = Math.abs(ms);
  const unit = UNITS.find((one) => distance >= one.ms);
  // The clock of the server can be a little ahead.
  if (unit === undefined || (ms > 0 && ms < 2_000)) return 'now';
  const words = `${String(Math.floor(distance / unit.ms))} ${unit.name}`;
  return ms < 0 ? `${words} ago` : `in ${words}`;
}
