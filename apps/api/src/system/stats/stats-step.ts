/** Possible step lengths, in seconds: minutes that divide an hour, hours that divide a day, and whole days. */
const STEPS_S = [
  60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
] as const;

/** Maximum number of points; no chart is wider. */
const MOST_POINTS = 1_500;

/** Last possible instant: a date-time of RFC 3339 cannot have a year with five digits. */
const LAST_INSTANT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export interface Steps {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  readonly count: number;
}

/**
 * Divides a range into at most 1,500 steps of the shortest possible length. The range is extended to whole steps, so
 * that a chart that is loaded again a moment later has the same steps. A range that is empty or ends before its start
 * has no steps.
 */
export function stepsOf(from: Date, to: Date): Steps {
  if (from >= to) return { from, to, stepSeconds: STEPS_S[0], count: 0 };
  const seconds = (to.getTime() - from.getTime()) / 1_000;
  // Two steps are reserved, since both ends are rounded outwards.
  const stepSeconds =
    STEPS_S.find((step) => seconds / step <= MOST_POINTS - 2) ??
    Math.ceil(seconds / (MOST_POINTS - 2) / 86_400) * 86_400;
  const stepMs = stepSeconds * 1_000;
  const firstMs = Math.floor(from.getTime() / stepMs) * stepMs;
  const count = Math.max(1, Math.ceil((to.getTime() - firstMs) / stepMs));
  const lastMs = Math.min(firstMs + count * stepMs, LAST_INSTANT_MS);
  return { from: new Date(firstMs), to: new Date(lastMs), stepSeconds, count };
}
