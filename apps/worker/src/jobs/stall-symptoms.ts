/** Why a worker may not consume, and how long each may last before it is reported. */
const TOLERATED_MS = {
  /** The queue does not answer. */
  queue_silent: 5_000,
  /** The same job is the next one, or jobs wait and this worker takes none, and it has free slots. */
  fetches_nothing: 9_000,
  /** All slots are taken and none becomes free for longer than a consumer's longest timeout and its record. */
  ends_nothing: 60_000,
} as const;

export type StallSymptom = keyof typeof TOLERATED_MS;
const SYMPTOMS: readonly StallSymptom[] = ['queue_silent', 'fetches_nothing', 'ends_nothing'];

/** Notes since when each symptom has been found without a break. Times are of one monotonic clock. */
export class StallSymptoms {
  private readonly since = new Map<StallSymptom, number>();

  /** Notes what one check has found; the other symptoms are over. */
  note(found: ReadonlySet<StallSymptom>, nowMs: number): void {
    for (const symptom of SYMPTOMS) {
      if (!found.has(symptom)) this.since.delete(symptom);
      else if (!this.since.has(symptom)) this.since.set(symptom, nowMs);
    }
  }

  /** The first symptom that has lasted too long, as text for an operator; null when there is none. */
  fault(nowMs: number): string | null {
    for (const symptom of SYMPTOMS) {
      const since = this.since.get(symptom);
      if (since === undefined || nowMs - since < TOLERATED_MS[symptom]) continue;
      return `${DESCRIPTIONS[symptom]} for ${String(Math.round((nowMs - since) / 1_000))} s`;
    }
    return null;
  }
}

const DESCRIPTIONS: Readonly<Record<StallSymptom, string>> = {
  queue_silent: 'the queue has not answered',
  fetches_nothing: 'jobs wait and slots are free, but it has opened no session',
  ends_nothing: 'all slots are taken, and no delivery in flight has ended',
};
