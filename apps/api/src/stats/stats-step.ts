/** Seconds that a point may cover: whole minutes that divide hours, hours that divide days, whole days. */
const STEPS_S = [
  60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
] as const;

/** A chart is no wider. */
const MOST_POINTS = 1_500;

/** Later ones have five digits for their year, which no date-time of RFC 3339 has. */
const LAST_INSTANT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export interface Steps {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  readonly count: number;
}

/**
 * The steps of a range, of the shortest length with which there are at most 1,500. The range grows to whole steps, so
 * that a chart that is read again a moment later has the same ones. A range that ends where it begins, or before, has
 * no step.
 */
export function stepsOf(from: Date, to: Date): Steps {
  if (from >= to) return { from, to, stepSeconds: STEPS_S[0], count: 0 };
  const seconds = (to.getTime() - from.getTime()) / 1_000;
  // One more than fit: the ends are rounded outwards.
  const stepSeconds =
    STEPS_S.find((step) => seconds / step <= MOST_POINTS - 2) ??
    Math.ceil(seconds / (MOST_POINTS - 2) / 86_400) * 86_400;
  const stepMs = stepSeconds * 1_000;
  const firstMs = Math.floor(from.getTime() / stepMs) * stepMs;
  const count = Math.max(1, Math.ceil((to.getTime() - firstMs) / stepMs));
  const lastMs = Math.min(firstMs + count * stepMs, LAST_INSTANT_MS);
  return { from: new Date(firstMs), to: new Date(lastMs), stepSeconds, count };
}
