import type { FaultDone } from '#test/chaos/observations';
import type { Duplicate } from '#test/chaos/verdict';

export const UNEXPLAINED = 'unexplained';

/** An acknowledgement is recorded within this time unless something is in the way. */
const RECORDED_WITHIN_MS = 1_000;
/** What a fault may still disturb after its end: reconnecting, and work that piled up. */
const AFTERMATH_MS = 2_000;
const LOOK_BACK_MS = 30_000;

/**
 * Which fault let each duplicate come to be: the latest one before it, at most 30 s back, that was in force when the
 * first acknowledgement should have been recorded. A duplicate without such a fault is unexplained.
 */
export function explain(
  duplicates: readonly Duplicate[],
  faults: readonly FaultDone[],
): Record<string, number> {
  const explained: Record<string, number> = {};
  for (const { arrival, acknowledgedAtMs } of duplicates) {
    const cause = faults
      .filter(
        (fault) =>
          fault.beganAtMs <= arrival.beganAtMs &&
          fault.endedAtMs >= arrival.beganAtMs - LOOK_BACK_MS &&
          fault.beganAtMs <= acknowledgedAtMs + RECORDED_WITHIN_MS &&
          fault.endedAtMs + AFTERMATH_MS >= acknowledgedAtMs,
      )
      .toSorted((a, b) => a.beganAtMs - b.beganAtMs)
      .at(-1);
    const label = cause?.label ?? UNEXPLAINED;
    explained[label] = (explained[label] ?? 0) + 1;
  }
  return explained;
}
