import { freezesWorker } from '#test/chaos/fault-kinds';
import type { Ledger } from '#test/chaos/ledger';
import type { FaultDone } from '#test/chaos/observations';

/** Attempts of deliveries to consumers that acknowledge everything in time, and failed all the same. */
export interface SpentAttempts {
  /** A worker that is frozen sees its timeouts pass; one on a machine that is overloaded may. */
  readonly timeouts: { readonly whileWorkerStopped: number; readonly otherwise: number };
  /** Anything but a timeout is a fault of ours that was charged to the consumer. */
  readonly faults: readonly string[];
}

const AFTER_STOP_MS = 1_000;

/** What was charged to `steady` consumers, which never fail. */
export function spentAttempts(
  ledger: Ledger,
  steady: ReadonlySet<string>,
  faults: readonly FaultDone[],
): SpentAttempts {
  const stops = faults.filter((fault) => freezesWorker(fault.label));
  const toSteady = new Set(ledger.deliveries.filter((d) => steady.has(d.consumer_id)).map((d) => d.id));
  const failed = ledger.attempts.filter((a) => toSteady.has(a.delivery_id) && a.outcome !== 'acknowledged');
  const timeouts = failed.filter((attempt) => attempt.outcome === 'timeout');
  const whileStopped = timeouts.filter(({ started_ms: from, duration_ms: forMs }) =>
    stops.some((stop) => from < stop.endedAtMs + AFTER_STOP_MS && from + forMs > stop.beganAtMs),
  );
  return {
    timeouts: { whileWorkerStopped: whileStopped.length, otherwise: timeouts.length - whileStopped.length },
    faults: failed
      .filter((attempt) => attempt.outcome !== 'timeout')
      .map(
        (a) =>
          `delivery ${a.delivery_id}: attempt ${a.number} was spent on ${a.outcome} by a consumer that never fails`,
      ),
  };
}
