import type { Schema } from '../../../api';

type Point = Schema<'StatsPointDto'>;

/** The sums of consecutive points with the same key, such as the hour or the day; `at` is that of the first. */
export function sumsBy(points: readonly Point[], keyOf: (at: Date) => string): Point[] {
  const groups = Map.groupBy(points, ({ at }) => keyOf(new Date(at)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const sum = (name: 'accepted' | 'delivered' | 'failedAttempts' | 'dead'): number =>
      group.reduce((total, point) => total + point[name], 0);
    return first === undefined
      ? []
      : [
          {
            ...first,
            accepted: sum('accepted'),
            delivered: sum('delivered'),
            failedAttempts: sum('failedAttempts'),
            dead: sum('dead'),
          },
        ];
  });
}

/** `2026-11-22T04`, the key of an hour. */
export const hourOf = (at: Date): string => at.toISOString().slice(0, 13);
