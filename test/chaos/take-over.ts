import type { ScenarioContext } from '#test/chaos/scenario';

/** A worker's lock runs out and another worker takes its consumers over within this time. */
export const TAKEOVER_MS = 10_000;

/** Disturbs this worker alone, whose consumers another worker takes over when the lock has run out. */
export async function takeOver(
  { faults, takeovers, observationLog }: ScenarioContext,
  worker: number,
  label: string,
  disturb: () => Promise<void>,
): Promise<void> {
  const beganAtMs = Date.now();
  const inFlight = observationLog.open;
  takeovers.push({ fromMs: beganAtMs, untilMs: beganAtMs + TAKEOVER_MS });
  await disturb();
  faults.done.push({ label, worker, beganAtMs, endedAtMs: Date.now(), inFlight });
}
