import type { ConsumerObservations } from '#libs/database';
import type { Observation } from '#libs/delivery';

/** A recorded attempt, as far as its consumer's gate is concerned. */
export interface EndedAttempt {
  readonly consumerId: string;
  readonly observation: Observation;
}

/** What each consumer's attempts say, in the order in which they ended. */
export function byConsumer(attempts: readonly EndedAttempt[]): ConsumerObservations[] {
  return [...Map.groupBy(attempts, (attempt) => attempt.consumerId)].map(([consumerId, own]) => ({
    consumerId,
    observations: own.map(({ observation }) => observation),
  }));
}
