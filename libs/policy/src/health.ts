/** Minimum number of consecutive failures that open the circuit. */
const MIN_FAILURES = 10;
/** Minimum number of their different deliveries: one bad payload is not a dead consumer. */
const MIN_DELIVERIES = 3;
/** Minimum time from the first to the last of them; longer than a short outage. */
const MIN_SPAN_MS = 60_000;

/** Consecutive failures after which `REDUCED_CONCURRENCY` applies, until the consumer succeeds. */
export const REDUCED_AFTER_FAILURES = 10;
/** Maximum number of deliveries at once to such a consumer, since hanging requests hold shared worker slots. */
export const REDUCED_CONCURRENCY = 8;

const FIRST_PROBE_MS = 30_000;
const LONGEST_PROBE_MS = 15 * 60_000;

/** Health of a consumer by its latest attempts. */
export interface Health {
  /** Failed attempts since its last success. */
  readonly failures: number;
  /** Ids of the first three different deliveries among them. */
  readonly failedDeliveries: readonly string[];
  readonly firstFailureAt: Date | null;
  /** Null while the circuit is closed. */
  readonly circuit: OpenCircuit | null;
}

export interface OpenCircuit {
  readonly openedAt: Date;
  readonly failedProbes: number;
  readonly nextProbeAt: Date;
}

export const HEALTHY: Health = { failures: 0, failedDeliveries: [], firstFailureAt: null, circuit: null };

/** The part of an attempt's result that concerns the consumer. */
export interface Observation {
  readonly deliveryId: string;
  readonly at: Date;
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

function after(health: Health, { deliveryId, at, succeeded, probe }: Observation): Health {
  if (succeeded) return HEALTHY;
  const isKnown =
    health.failedDeliveries.includes(deliveryId) || health.failedDeliveries.length >= MIN_DELIVERIES;
  const failed = {
    failures: health.failures + 1,
    failedDeliveries: isKnown ? health.failedDeliveries : [...health.failedDeliveries, deliveryId],
    firstFailureAt: health.firstFailureAt ?? at,
  };
  const { circuit } = health;
  if (circuit === null) return { ...failed, circuit: isDown(failed, at) ? opened(at) : null };
  // A failure of an attempt from before the circuit opened changes nothing.
  return { ...failed, circuit: probe ? probed(circuit, at) : circuit };
}

const isDown = (run: Omit<Health, 'circuit'>, at: Date): boolean =>
  run.failures >= MIN_FAILURES &&
  run.failedDeliveries.length >= MIN_DELIVERIES &&
  run.firstFailureAt !== null &&
  at.getTime() - run.firstFailureAt.getTime() >= MIN_SPAN_MS;

const opened = (at: Date): OpenCircuit => ({ openedAt: at, failedProbes: 0, nextProbeAt: nextProbe(at, 0) });

function probed(circuit: OpenCircuit, at: Date): OpenCircuit {
  const failedProbes = circuit.failedProbes + 1;
  return { ...circuit, failedProbes, nextProbeAt: nextProbe(at, failedProbes) };
}

/** 30 s, doubling with each failed probe, at most 15 min. */
const nextProbe = (from: Date, failedProbes: number): Date =>
  new Date(from.getTime() + Math.min(FIRST_PROBE_MS * 2 ** failedProbes, LONGEST_PROBE_MS));
