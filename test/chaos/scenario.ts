import type { Customer, CustomerPlan } from '#test/chaos/customers';
import type { Faults } from '#test/chaos/faults';
import type { ObservationLog } from '#test/chaos/observation-log';
import type { PromisedEvent } from '#test/chaos/observations';
import type { Producers } from '#test/chaos/producers';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';

/** What a scenario acts with. */
export interface Cast {
  readonly stage: ChaosEnvironment;
  readonly customers: readonly Customer[];
  readonly observationLog: ObservationLog;
  readonly faults: Faults;
  /** Starts the load. */
  readonly produce: (options: { producers: number; changesPerSecond: number }) => Producers;
}

/** What the producers have to tell at the end. */
export interface Announced {
  readonly promised: readonly PromisedEvent[];
  /** Answers that break the contract. */
  readonly faults: readonly string[];
  /** Requests that were answered otherwise than with 202, or not at all, and were repeated. */
  readonly unanswered: number;
}

/** A way to run the system; what is promised in it has to arrive afterwards. */
export interface Scenario {
  readonly customers: readonly CustomerPlan[];
  /** After its end, how long nothing may arrive before what is missing is lost. */
  readonly patienceMs: number;
  /** Resolves with what was promised, when nothing more will be and nothing is disturbed any more. */
  play(cast: Cast): Promise<Announced>;
}
