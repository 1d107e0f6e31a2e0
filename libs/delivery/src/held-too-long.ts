/** A time during which nothing could be sent, and which counts against no delivery. */
export interface Standstill {
  readonly beganAt: Date;
  readonly endedAt: Date;
}

/**
 * A delivery that has been held since before this instant, without a single attempt, has been held for longer than
 * `limitMs`, standstills not counted.
 *
 * @param standstills in any order; they may overlap.
 */
export function heldTooLongSince(now: Date, limitMs: number, standstills: readonly Standstill[]): Date {
  let left = limitMs;
  let end = now.getTime();
  const latestFirst = standstills
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
