/** Milliseconds since 1970, with fractions: comparable between processes of one machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** A distribution of durations, in milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

export const latencies = (values: readonly number[]): Latencies => ({
  count: values.length,
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
  p99: percentile(values, 0.99),
  most: percentile(values, 1),
});

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The smallest value that at least this share of the values does not exceed. NaN for no values. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Prints a line at once, so that a run of many minutes shows its progress. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
