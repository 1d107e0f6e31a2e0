import { percentile, round } from '#test/bench/engine/report';

/** Milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

export function latencies(values: readonly number[]): Latencies {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return {
    count: values.length,
    p50: round(percentile(values, 0.5), 2),
    p99: round(percentile(values, 0.99), 2),
    most: round(most, 2),
  };
}
