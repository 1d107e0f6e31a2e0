import type { Trend } from '#libs/contracts';

/** A backlog and its rates. */
export interface Flow {
  readonly waiting: number;
  /** Accepted deliveries a minute. */
  readonly inPerMinute: number;
  /** Finished deliveries a minute. */
  readonly outPerMinute: number;
}

export interface BacklogTrend {
  readonly trend: Trend;
  /** Null unless the backlog drains. */
  readonly drainsInSeconds: number | null;
}

/** A smaller difference counts as none, since rates are counts of a few minutes. */
const SAME_SHARE = 0.05;
const SAME_PER_MINUTE = 1;

/** Trend of a backlog at its present rates. */
export function backlogTrend({ waiting, inPerMinute, outPerMinute }: Flow): BacklogTrend {
  if (waiting === 0) return { trend: 'empty', drainsInSeconds: null };
  const gain = outPerMinute - inPerMinute;
  const same = Math.max(SAME_PER_MINUTE, SAME_SHARE * Math.max(inPerMinute, outPerMinute));
  if (Math.abs(gain) < same) return { trend: 'steady', drainsInSeconds: null };
  return gain < 0
    ? { trend: 'growing', drainsInSeconds: null }
    : { trend: 'draining', drainsInSeconds: Math.ceil((waiting / gain) * 60) };
}
