const PER_DECADE = [1, 1.5, 2, 3, 5, 7] as const;
const DECADES = 9;

/**
 * Upper bounds of the latency buckets in milliseconds: 1, 1.5, 2, 3, 5, 7, 10, 15 … up to more than a week. The last bucket
 * also has the latencies above it.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: DECADES }, (_, decade) =>
  PER_DECADE.map((bound) => bound * 10 ** decade),
).flat();

/** The bucket of a latency in milliseconds, as an index into `LATENCY_BOUNDS_MS`. */
export function latencyBucket(ms: number): number {
  const found = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return found === -1 ? LATENCY_BOUNDS_MS.length - 1 : found;
}

/**
 * The percentile for a share (0 to 1) of the counted latencies, by nearest rank: the upper bound of its bucket in
 * whole milliseconds, at most two thirds above the latency itself. Null for an empty histogram.
 */
export function percentileOf(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rank = Math.max(1, Math.ceil(total * share));
  const bucket = histogram.findIndex((count) => (rank -= count) <= 0);
  return Math.ceil(LATENCY_BOUNDS_MS[bucket] ?? 0);
}
