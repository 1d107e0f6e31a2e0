/** A delivery that is pending for longer becomes `dead`. */
export const PENDING_LIMIT_MS = 14 * 86_400_000;

/** A time that does not count for pending deliveries: a pause, or an outage of the dispatcher. */
export interface Downtime {
  readonly beganAt: Date;
  readonly endedAt: Date;
}

/**
 * A delivery that is pending since before this instant has been pending for longer than `limitMs`, not counting downtimes.
 *
 * @param downtimes in any order; they may overlap.
 */
export function pendingTooLongSince(now: Date, limitMs: number, downtimes: readonly Downtime[]): Date {
  let left = limitMs;
  let end = now.getTime();
  const latestFirst = downtimes
    .map(({ beganAt, endedAt }) => ({ from: beganAt.getTime(), to: Math.min(endedAt.getTime(), end) }))
    .filter(({ from, to }) => from < to)
    .toSorted((a, b) => b.to - a.to);
  for (const { from, to } of latestFirst) {
    const counted = end - Math.min(to, end);
    if (counted >= left) break;
    left -= counted;
    end = Math.min(end, from);
  }
  return new Date(end - left);
}
