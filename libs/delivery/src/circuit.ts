const MIN_FAILURES = 10;
const MIN_DELIVERIES = 3;
const MIN_SPAN_MS = 60_000;

const FIRST_PROBE_MS = 30_000;
const LONGEST_PROBE_MS = 15 * 60_000;

/** A consumer's failures since its last success. */
export interface FailureRun {
  /** Consecutive failed attempts. */
  readonly failures: number;
  /** How many different deliveries they belong to. */
  readonly deliveries: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/**
 * Whether a run of failures means that the consumer is down: at least 10 in a row, over at least
 * 3 different deliveries (one bad payload is not a dead consumer) and at least a minute (a hiccup is not one either).
 */
export function circuitMustOpen(run: FailureRun): boolean {
  return (
    run.failures >= MIN_FAILURES &&
    run.deliveries >= MIN_DELIVERIES &&
    run.lastAt.getTime() - run.firstAt.getTime() >= MIN_SPAN_MS
  );
}

/**
 * How long an open circuit waits for its next probe: 30 s, doubling with each failed probe, at most 15 min.
 *
 * @param failedProbes probes that have failed since the circuit opened, from 0.
 */
export function nextProbeDelayMs(failedProbes: number): number {
  return Math.min(FIRST_PROBE_MS * 2 ** failedProbes, LONGEST_PROBE_MS);
}
