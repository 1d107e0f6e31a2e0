import { deliveryKey, type FaultDone } from '#test/chaos/observations';
import type { SessionOpening } from '#test/chaos/session-openings';
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

/** Outcomes of an answer that was read: the acknowledgement of such an attempt was seen, or there was none. */
const ANSWERED: ReadonlySet<string> = new Set(['acknowledged', 'http_status']);

/** The properties of a recorded attempt that can explain a repeated POST. */
export interface RecordedAttempt {
  readonly consumer: string;
  readonly notificationId: string;
  readonly startedAtMs: number;
  readonly outcome: string;
}

/** What PostgreSQL has of a run that can explain a duplicate. */
export interface Recorded {
  readonly attempts?: readonly RecordedAttempt[];
  readonly openings?: readonly SessionOpening[];
}

/**
 * Counts duplicates by cause. Either the dispatcher recorded the acknowledged POST as failed, or a fault was active when
 * the acknowledgement should have been recorded: the latest one at most 60 s before the duplicate. A fault of an api never
 * explains one, since an api sends nothing. A fault of a single worker explains only duplicates of POSTs that this worker
 * had sent, or that it prevented from being recorded by opening a session of the consumer meanwhile. Otherwise the duplicate
 * is unexplained.
 */
export function explain(
  duplicates: readonly Duplicate[],
  faults: readonly FaultDone[],
  { attempts = [], openings = [] }: Recorded = {},
): Record<string, number> {
  const explained: Record<string, number> = {};
  const failed = Map.groupBy(
    attempts.filter(({ outcome }) => !ANSWERED.has(outcome)),
    (attempt) => deliveryKey(attempt.notificationId, attempt.consumer),
  );
  for (const duplicate of duplicates) {
    const { arrival, acknowledged } = duplicate;
    const isRecordedAsFailed = failed
      .get(deliveryKey(arrival.notificationId, arrival.consumer))
      ?.some((attempt) => Math.abs(attempt.startedAtMs - acknowledged.beganAtMs) < SAME_POST_MS);
    const label =
      isRecordedAsFailed === true ? NOT_SEEN : (causeOf(duplicate, faults, openings)?.label ?? UNEXPLAINED);
    explained[label] = (explained[label] ?? 0) + 1;
  }
  return explained;
}

function causeOf(
  { arrival, acknowledged, acknowledgedAtMs }: Duplicate,
  faults: readonly FaultDone[],
  openings: readonly SessionOpening[],
): FaultDone | undefined {
  const { worker: sender } = acknowledged;
  const takenOverBy = openings
    .filter(
      (opening) =>
        opening.consumer_id === arrival.consumer &&
        opening.opened_ms >= acknowledged.beganAtMs - SAME_POST_MS &&
        opening.opened_ms <= acknowledgedAtMs + RECORDED_WITHIN_MS,
    )
    .map(({ worker }) => worker);
  const isConcerned = ({ worker }: FaultDone): boolean =>
    worker === undefined || sender === null || worker === sender || takenOverBy.includes(worker);
  return faults
    .filter(
      (fault) =>
        !fault.label.endsWith('api') &&
        isConcerned(fault) &&
        fault.beganAtMs <= arrival.beganAtMs &&
        fault.endedAtMs >= arrival.beganAtMs - LOOK_BACK_MS &&
        fault.beganAtMs <= acknowledgedAtMs + RECORDED_WITHIN_MS &&
        fault.endedAtMs + AFTERMATH_MS >= acknowledgedAtMs,
    )
    .toSorted((a, b) => a.beganAtMs - b.beganAtMs)
    .at(-1);
}
