import type { ChaosConsumer, ConsumerPlan } from '#test/chaos/chaos-consumer';
import type { Faults } from '#test/chaos/faults';
import type { ObservationLog } from '#test/chaos/observation-log';
import type { AcceptedEvent } from '#test/chaos/observations';
import type { Producers } from '#test/chaos/producers';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';
import type { ServiceLimits, Takeover } from '#test/chaos/unserved';

/** The parts of the system that a scenario uses. */
export interface ScenarioContext {
  readonly environment: ChaosEnvironment;
  readonly consumers: readonly ChaosConsumer[];
  readonly observationLog: ObservationLog;
  readonly faults: Faults;
  /** The scenario adds the times in which consumers wait for a lock to run out. */
  readonly takeovers: Takeover[];
  /** Starts the load. */
  readonly produce: (options: { producers: number; changesPerSecond: number }) => Producers;
}

/** The results of the producers. */
export interface ProducerResults {
  readonly accepted: readonly AcceptedEvent[];
  /** Answers that break the contract. */
  readonly faults: readonly string[];
  /** Requests without an answer, or with another status than 202; they were repeated. */
  readonly unanswered: number;
}

/** Load and faults; everything that is accepted has to be delivered afterwards. */
export interface Scenario {
  readonly consumers: readonly ConsumerPlan[];
  /** Missing deliveries are lost when nothing has changed for this long after the end. */
  readonly idleLimitMs: number;
  /** How long a steady consumer may wait for a session; absent: it is only measured. */
  readonly serviceLimits?: ServiceLimits;
  /** Settings of the workers, besides those of every run. */
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** Resolves when the load has ended and nothing is disturbed any more. */
  run(context: ScenarioContext): Promise<ProducerResults>;
}
