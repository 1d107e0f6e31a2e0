/** Maximum time for which a delivery is pending; then it becomes `dead`. */
export const PENDING_LIMIT_MS = 14 * 86_400_000;

/** A period that does not count for pending deliveries: a pause, or an outage of the dispatcher. */
export interface Downtime {
  readonly beganAt: Date;
  readonly endedAt: Date;
}

/**
 * Returns the instant `limitMs` ago, not counting downtimes: a delivery pending since before it exceeds the limit.
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
