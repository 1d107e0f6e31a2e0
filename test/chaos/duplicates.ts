import { deliveryKey, type FaultDone } from '#test/chaos/observations';
import type { Duplicate } from '#test/chaos/verdict';

export const UNEXPLAINED = 'unexplained';

/** An acknowledgement is recorded within this time unless something is in the way. */
const RECORDED_WITHIN_MS = 1_000;
/** What a fault may still disturb after its end: reconnecting, and work that piled up. */
const AFTERMATH_MS = 2_000;
/** A retry waits for another session or a schedule, and a blackhole of 30 s may hold it back. */
const LOOK_BACK_MS = 60_000;
/** A POST begins at the consumer this near to when it was sent, at the most. */
const SAME_POST_MS = 700;

/** The dispatcher has recorded that it saw no acknowledgement in time, and tried again by the schedule. */
export const NOT_SEEN = 'the acknowledgement came too late for the dispatcher';

/** One recorded attempt, as far as it tells why a POST was repeated. */
export interface RecordedAttempt {
  readonly consumer: string;
  readonly notificationId: string;
  readonly startedAtMs: number;
  readonly outcome: string;
}

/**
 * Why each duplicate came to be. Either the dispatcher itself holds the acknowledged POST for a failed one; or a
 * fault was in force when the acknowledgement should have been recorded, of which the latest at most 60 s before
 * the duplicate is named (an api's never: it sends nothing). Otherwise it is unexplained.
 */
export function explain(
  duplicates: readonly Duplicate[],
  faults: readonly FaultDone[],
  attempts: readonly RecordedAttempt[] = [],
): Record<string, number> {
  const explained: Record<string, number> = {};
  const failed = Map.groupBy(
    attempts.filter((attempt) => attempt.outcome !== 'acknowledged'),
    (attempt) => deliveryKey(attempt.notificationId, attempt.consumer),
  );
  for (const duplicate of duplicates) {
    const { arrival, acknowledged } = duplicate;
    const isHeldForFailed = failed
      .get(deliveryKey(arrival.notificationId, arrival.consumer))
      ?.some((attempt) => Math.abs(attempt.startedAtMs - acknowledged.beganAtMs) < SAME_POST_MS);
    const label = isHeldForFailed === true ? NOT_SEEN : (causeOf(duplicate, faults)?.label ?? UNEXPLAINED);
    explained[label] = (explained[label] ?? 0) + 1;
  }
  return explained;
}

function causeOf(
  { arrival, acknowledgedAtMs }: Duplicate,
  faults: readonly FaultDone[],
): FaultDone | undefined {
  return faults
    .filter(
      (fault) =>
        !fault.label.endsWith('api') &&
        fault.beganAtMs <= arrival.beganAtMs &&
        fault.endedAtMs >= arrival.beganAtMs - LOOK_BACK_MS &&
        fault.beganAtMs <= acknowledgedAtMs + RECORDED_WITHIN_MS &&
        fault.endedAtMs + AFTERMATH_MS >= acknowledgedAtMs,
    )
    .toSorted((a, b) => a.beganAtMs - b.beganAtMs)
    .at(-1);
}
