/** What may keep a worker from consuming, with how long it may last before it is called a fault. */
const TOLERATED_MS = {
  /** The queue does not answer. */
  queue_silent: 5_000,
  /** PostgreSQL does not answer on the connections that fetch and record. */
  database_silent: 5_000,
  /** Jobs wait, this worker has room, and yet it opens no session. */
  fetches_nothing: 10_000,
  /** No room, and none is made: longer than the longest timeout of a consumer, and its record. */
  ends_nothing: 60_000,
} as const;

export type StallSymptom = keyof typeof TOLERATED_MS;
const SYMPTOMS: readonly StallSymptom[] = [
  'queue_silent',
  'database_silent',
  'fetches_nothing',
  'ends_nothing',
];

/** Remembers since when looks have found each suspicion without a break; moments are those of one steady clock. */
export class StallSymptoms {
  private readonly since = new Map<StallSymptom, number>();

  /** What one look has found; what it has not is over. */
  note(found: ReadonlySet<StallSymptom>, nowMs: number): void {
    for (const symptom of SYMPTOMS) {
      if (!found.has(symptom)) this.since.delete(symptom);
      else if (!this.since.has(symptom)) this.since.set(symptom, nowMs);
    }
  }

  /** The first that has lasted too long, in words for an operator; null when there is none. */
  fault(nowMs: number): string | null {
    for (const symptom of SYMPTOMS) {
      const since = this.since.get(symptom);
      if (since === undefined || nowMs - since < TOLERATED_MS[symptom]) continue;
      return `${WORDS[symptom]} for ${String(Math.round((nowMs - since) / 1_000))} s`;
    }
    return null;
  }
}

const WORDS: Readonly<Record<StallSymptom, string>> = {
  queue_silent: 'the queue has not answered',
  database_silent: 'PostgreSQL has not answered on the connections that fetch and record',
  fetches_nothing: 'jobs wait and there is room, yet it has opened no session',
  ends_nothing: 'there is no room, and nothing that it has in hand has ended',
};
