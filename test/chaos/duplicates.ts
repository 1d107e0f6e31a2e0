import { deliveryKey, type FaultDone } from '#test/chaos/observations';
import type { Duplicate } from '#test/chaos/verdict';

export const UNEXPLAINED = 'unexplained';

/** An acknowledgement is recorded within this time unless a fault delays it. */
const RECORDED_WITHIN_MS = 1_000;
/** Time after a fault in which reconnecting and accumulated work may still cause a duplicate. */
const AFTERMATH_MS = 2_000;
/** A retry waits for another session or its schedule, and may be delayed by a blackhole of 30 s. */
const LOOK_BACK_MS = 60_000;
/** The longest time between the start of an attempt and the start of its POST at the consumer. */
const SAME_POST_MS = 700;

/** The dispatcher recorded a failed attempt, since the acknowledgement arrived after its timeout. */
export const NOT_SEEN = 'the acknowledgement came too late for the dispatcher';

/** The properties of a recorded attempt that can explain a repeated POST. */
export interface RecordedAttempt {
  readonly consumer: string;
  readonly notificationId: string;
  readonly startedAtMs: number;
  readonly outcome: string;
}

/**
 * Counts duplicates by cause. Either the dispatcher recorded the acknowledged POST as failed, or a fault was active when
 * the acknowledgement should have been recorded: the latest one at most 60 s before the duplicate, never one of an api,
 * which sends nothing. Otherwise the duplicate is unexplained.
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
    const isRecordedAsFailed = failed
      .get(deliveryKey(arrival.notificationId, arrival.consumer))
      ?.some((attempt) => Math.abs(attempt.startedAtMs - acknowledged.beganAtMs) < SAME_POST_MS);
    const label = isRecordedAsFailed === true ? NOT_SEEN : (causeOf(duplicate, faults)?.label ?? UNEXPLAINED);
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
