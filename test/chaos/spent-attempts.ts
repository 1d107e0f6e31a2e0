import { suspendsWorker } from '#test/chaos/fault-kinds';
import type { AttemptRow, History } from '#test/chaos/history';
import type { FaultDone } from '#test/chaos/observations';
import { wrongClocks } from '#test/chaos/wrong-clocks';

/** Failed attempts of consumers that acknowledge everything in time. */
export interface SpentAttempts {
  /** Requests of a suspended worker time out; on an overloaded machine others may, too. */
  readonly timeouts: { readonly whileWorkerStopped: number; readonly otherwise: number };
  /** Any other failed attempt is an internal error that was charged to the consumer. */
  readonly faults: readonly string[];
}

const AFTER_STOP_MS = 1_000;

/** The failed attempts of `steady` consumers, which never fail. */
export function spentAttempts(
  history: History,
  steady: ReadonlySet<string>,
  faults: readonly FaultDone[],
): SpentAttempts {
  const stops = faults.filter((fault) => suspendsWorker(fault.label));
  const toSteady = new Set(history.deliveries.filter((d) => steady.has(d.consumer_id)).map((d) => d.id));
  const failed = history.attempts.filter((a) => toSteady.has(a.delivery_id) && a.outcome !== 'acknowledged');
  const timeouts = failed.filter((attempt) => attempt.outcome === 'timeout');
  const whileStopped = timeouts.filter(({ started_ms: from, duration_ms: forMs }) =>
    stops.some((stop) => from < stop.endedAtMs + AFTER_STOP_MS && from + forMs > stop.beganAtMs),
  );
  const clocks = wrongClocks(faults);
  const isRefusedForItsTime = ({ outcome, started_ms: from }: AttemptRow): boolean =>
    outcome === 'http_status' && clocks.some(({ fromMs, untilMs }) => from >= fromMs && from <= untilMs);
  return {
    timeouts: { whileWorkerStopped: whileStopped.length, otherwise: timeouts.length - whileStopped.length },
    faults: failed
      .filter((attempt) => attempt.outcome !== 'timeout' && !isRefusedForItsTime(attempt))
      .map(
        (a) =>
          `delivery ${a.delivery_id}: attempt ${a.number} failed with ${a.outcome} at a consumer that never fails`,
      ),
  };
}
