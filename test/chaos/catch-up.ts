import { deliveryKey, type Arrival, type FaultDone, type AcceptedEvent } from '#test/chaos/observations';

/** A steady consumer has received everything this long after the last fault. */
export const CAUGHT_UP_WITHIN_MS = 15_000;

/** How long consumers that never fail waited for deliveries after the last fault. */
export interface CatchUp {
  /** The longest time that a consumer waited for a delivery; 0 without deliveries. */
  readonly longestMs: number;
  /** Deliveries that arrived too late. A delivery that never arrived is lost, and not in this list. */
  readonly late: readonly string[];
}

export interface CatchUpEvidence {
  readonly accepted: readonly AcceptedEvent[];
  readonly arrivals: readonly Arrival[];
  /** Consumers that never fail. */
  readonly steady: ReadonlySet<string>;
  readonly faults: readonly FaultDone[];
}

/**
 * Measures from the end of the last disturbance, or from the 202 if that was later, to the first acknowledgement. The time
 * until a restarted process is ready is included. Pure.
 */
export function catchUp({ accepted, arrivals, steady, faults }: CatchUpEvidence): CatchUp {
  const undisturbedAtMs = Math.max(...faults.map((fault) => fault.undoneAtMs ?? fault.endedAtMs));
  const acknowledgedAtMs = new Map<string, number>();
  for (const { notificationId, consumer, acknowledgedAtMs: atMs } of arrivals) {
    const key = deliveryKey(notificationId, consumer);
    if (atMs !== null) acknowledgedAtMs.set(key, Math.min(atMs, acknowledgedAtMs.get(key) ?? Infinity));
  }
  const waits = accepted.flatMap(({ notificationId, consumers, acceptedAtMs }) =>
    consumers
      .filter((consumer) => steady.has(consumer))
      .flatMap((consumer) => {
        const key = deliveryKey(notificationId, consumer);
        const atMs = acknowledgedAtMs.get(key);
        return atMs === undefined ? [] : [{ key, waitedMs: atMs - Math.max(undisturbedAtMs, acceptedAtMs) }];
      }),
  );
  return {
    longestMs: waits.reduce((longest, { waitedMs }) => Math.max(longest, waitedMs), 0),
    late: waits
      .filter(({ waitedMs }) => waitedMs > CAUGHT_UP_WITHIN_MS)
      .map(({ key, waitedMs }) => `${key} arrived ${waitedMs} ms after the last fault`),
  };
}
