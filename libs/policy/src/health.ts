/** Minimum number of consecutive failures that open the circuit. */
const MIN_FAILURES = 10;
/** Minimum number of their different deliveries: one bad payload is not a dead consumer. */
const MIN_DELIVERIES = 3;
/** Minimum time from the first to the last of them; longer than a short outage. */
const MIN_SPAN_MS = 60_000;

/** Consecutive failures after which a worker fetches less often for the consumer, until it succeeds. */
export const FAILING_AFTER = 10;

const FIRST_PROBE_MS = 30_000;
const LONGEST_PROBE_MS = 15 * 60_000;

/**
 * Health of a consumer by its latest attempts. Its moments are milliseconds of the worker's monotonic clock, which no
 * other process can read: PostgreSQL has the times that others act on, and they are by its clock.
 */
export interface Health {
  /** Failed attempts since its last success. */
  readonly failures: number;
  /** Ids of the first three different deliveries among them. */
  readonly failedDeliveries: readonly string[];
  readonly firstFailureAtMs: number | null;
  /** Null while the circuit is closed. */
  readonly circuit: OpenCircuit | null;
}

export interface OpenCircuit {
  readonly failedProbes: number;
  readonly nextProbeAtMs: number;
}

export const HEALTHY: Health = { failures: 0, failedDeliveries: [], firstFailureAtMs: null, circuit: null };

/** The part of an attempt's result that concerns the consumer. */
export interface Observation {
  readonly deliveryId: string;
  readonly atMs: number;
  readonly succeeded: boolean;
  /** A probe through an open circuit. */
  readonly probe: boolean;
}

export interface Observed {
  readonly health: Health;
  /** How the observations changed the circuit; null if they did not. */
  readonly transition: 'opened' | 'closed' | 'probe_failed' | null;
}

/** Returns a consumer's health after these results, in their order. */
export function observe(before: Health, observations: readonly Observation[]): Observed {
  const health = observations.reduce(after, before);
  return { health, transition: transitionOf(before.circuit, health.circuit) };
}

function transitionOf(before: OpenCircuit | null, now: OpenCircuit | null): Observed['transition'] {
  if (now === null) return before === null ? null : 'closed';
  if (before === null) return 'opened';
  return now.failedProbes > before.failedProbes ? 'probe_failed' : null;
}

function after(health: Health, { deliveryId, atMs, succeeded, probe }: Observation): Health {
  if (succeeded) return HEALTHY;
  const isKnown =
    health.failedDeliveries.includes(deliveryId) || health.failedDeliveries.length >= MIN_DELIVERIES;
  const failed = {
    failures: health.failures + 1,
    failedDeliveries: isKnown ? health.failedDeliveries : [...health.failedDeliveries, deliveryId],
    firstFailureAtMs: health.firstFailureAtMs ?? atMs,
  };
  const { circuit } = health;
  if (circuit === null) return { ...failed, circuit: isDown(failed, atMs) ? probedFrom(atMs, 0) : null };
  // A failure of an attempt from before the circuit opened changes nothing.
  return { ...failed, circuit: probe ? probedFrom(atMs, circuit.failedProbes + 1) : circuit };
}

const isDown = (run: Omit<Health, 'circuit'>, atMs: number): boolean =>
  run.failures >= MIN_FAILURES &&
  run.failedDeliveries.length >= MIN_DELIVERIES &&
  run.firstFailureAtMs !== null &&
  atMs - run.firstFailureAtMs >= MIN_SPAN_MS;

const probedFrom = (atMs: number, failedProbes: number): OpenCircuit => ({
  failedProbes,
  nextProbeAtMs: atMs + probeDelayMs(failedProbes),
});

/** Time until the next probe: 30 s, doubling with each failed probe, at most 15 min. */
const probeDelayMs = (failedProbes: number): number =>
  Math.min(FIRST_PROBE_MS * 2 ** failedProbes, LONGEST_PROBE_MS);
