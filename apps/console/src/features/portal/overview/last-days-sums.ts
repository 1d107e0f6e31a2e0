import type { Schema } from '../../../api';

type Point = Schema<'StatsPointDto'>;

/** The sums of the points with the same key, such as the hour or the day; the rest is that of the first point. */
export const sumsBy = (points: readonly Point[], keyOf: (at: Date) => string): Point[] =>
  [...Map.groupBy(points, ({ at }) => keyOf(new Date(at))).values()].map((group) =>
    group.reduce((sum, { delivered, failedAttempts, dead }) => ({
      ...sum,
      delivered: sum.delivered + delivered,
      failedAttempts: sum.failedAttempts + failedAttempts,
      dead: sum.dead + dead,
    })),
  );
