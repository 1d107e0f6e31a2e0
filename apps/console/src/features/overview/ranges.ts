const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How far back the charts look; the first is meant when the URL says nothing. */
export const RANGES = {
  '1h': { label: '1 h', words: 'the last hour', ms: HOUR_MS, refreshMs: 10_000 },
  '6h': { label: '6 h', words: 'the last 6 hours', ms: 6 * HOUR_MS, refreshMs: 30_000 },
  '24h': { label: '24 h', words: 'the last 24 hours', ms: DAY_MS, refreshMs: 60_000 },
  '7d': { label: '7 d', words: 'the last 7 days', ms: 7 * DAY_MS, refreshMs: 120_000 },
} as const;
export type Range = keyof typeof RANGES;

export const isRange = (value: string | null): value is Range =>
  value !== null && Object.hasOwn(RANGES, value);
