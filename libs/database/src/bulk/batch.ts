import type { RawBuilder } from 'kysely';
import type { ReleasedAtGate } from '../gates/release-held.js';

/** Some of an action's deliveries, whose consumers' gates are locked. */
export interface Batch {
  readonly ids: readonly string[];
  readonly consumerIds: readonly string[];
  /** What the action covers: asked again under the locks, since the batch was read before them. */
  readonly covers: RawBuilder<unknown>;
}

export interface BatchDone {
  readonly changed: number;
  /** Want a job. */
  readonly released: readonly ReleasedAtGate[];
  /** Consumers with something on hold that may go. */
  readonly atGateOf: readonly string[];
}
