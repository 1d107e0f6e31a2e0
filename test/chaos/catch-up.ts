import { deliveryKey, type Arrival, type FaultDone, type PromisedEvent } from '#test/chaos/observations';

/** A consumer that never fails has everything this long after the last fault. */
export const CAUGHT_UP_WITHIN_MS = 15_000;

/** How long consumers that never fail have waited once nothing was in the way any more. */
export interface CatchUp {
  /** The longest that any of them has waited for a delivery; 0 when nothing was promised to them. */
  readonly longestMs: number;
  /** Deliveries that came too late. What never came is lost, and in no list of this one. */
  readonly late: readonly string[];
}

export interface CatchUpEvidence {
  readonly promised: readonly PromisedEvent[];
  readonly arrivals: readonly Arrival[];
  /** Consumers that never fail. */
  readonly steady: ReadonlySet<string>;
  readonly faults: readonly FaultDone[];
}

/**
 * Measures from the last moment at which something was done to the system, or from the 202 if that came later, to the
 * first acknowledgement. What a process takes to be ready is part of catching up. Pure.
 */
export function catchUp({ promised, arrivals, steady, faults }: CatchUpEvidence): CatchUp {
  const calmAtMs = Math.max(...faults.map((fault) => fault.undoneAtMs ?? fault.endedAtMs));
  const acknowledgedAtMs = new Map<string, number>();
  for (const { notificationId, consumer, acknowledgedAtMs: atMs } of arrivals) {
    const key = deliveryKey(notificationId, consumer);
    if (atMs !== null) acknowledgedAtMs.set(key, Math.min(atMs, acknowledgedAtMs.get(key) ?? Infinity));
  }
  const waits = promised.flatMap(({ notificationId, consumers, promisedAtMs }) =>
    consumers
      .filter((consumer) => steady.has(consumer))
      .flatMap((consumer) => {
        const key = deliveryKey(notificationId, consumer);
        const atMs = acknowledgedAtMs.get(key);
        return atMs === undefined ? [] : [{ key, waitedMs: atMs - Math.max(calmAtMs, promisedAtMs) }];
      }),
  );
  return {
    longestMs: waits.reduce((longest, { waitedMs }) => Math.max(longest, waitedMs), 0),
    late: waits
      .filter(({ waitedMs }) => waitedMs > CAUGHT_UP_WITHIN_MS)
      .map(({ key, waitedMs }) => `${key} came ${waitedMs} ms after the last fault`),
  };
}
