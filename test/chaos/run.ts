import { setTimeout as pause } from 'node:timers/promises';
import { ChaosConsumer } from '#test/chaos/consumers';
import type { RunningSystem } from '#test/chaos/courses';
import { ChaosEnvironment, type EnvironmentOptions } from '#test/chaos/environment';
import { Faults, type DisturbedSystem } from '#test/chaos/disturb';
import { readHistory } from '#test/chaos/history';
import {
  deliveryKey,
  ObservationLog,
  type AcceptedEvent,
  type FaultDone,
  type Takeover,
} from '#test/chaos/observations';
import { Producers } from '#test/chaos/producers';
import type { Scenario } from '#test/chaos/scenarios';
import { seededRandom } from '#test/chaos/seeded-random';
import { judge, type Verdict } from '#test/chaos/verdict';
import { ApiClient } from '#test/support/api-client';

export interface RunOptions extends Omit<EnvironmentOptions, 'workerEnv'> {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly log: (line: string) => void;
}

export interface Findings {
  readonly verdict: Verdict;
  readonly faults: readonly FaultDone[];
  readonly accepted: number;
  /** Requests that a producer had to repeat. */
  readonly unanswered: number;
  /** Exits of processes that the suite did not cause. */
  readonly unexpectedExits: readonly object[];
  /** From the end of load and faults until everything had arrived and was recorded. */
  readonly recoveryMs: number;
}

/** Runs a scenario in its own environment and judges what it has left. */
export async function run({ seed, scenario, log, ...options }: RunOptions): Promise<Findings> {
  const environment = await ChaosEnvironment.open({ ...options, workerEnv: scenario.workerEnv ?? {} });
  const observationLog = new ObservationLog();
  const consumers: ChaosConsumer[] = [];
  try {
    const apis = environment.apis.map((api) => api.baseUrl);
    const client = new ApiClient(apis[0] ?? '', environment.adminKey);
    for (const plan of scenario.consumers)
      consumers.push(await ChaosConsumer.register(client, plan, observationLog));
    const steady = new Set(consumers.filter((c) => c.plan.isSteady).map((c) => c.consumerId));
    const consumerOf = new Map(
      consumers.flatMap((c) => c.plan.companies.map((name) => [name, c.consumerId])),
    );
    const { producers: count, changesPerSecond } = scenario.load;
    const load: Producers[] = [];
    const produce = (): Producers => {
      const { adminKey } = environment;
      const started = new Producers({ apis, adminKey, seed, count, changesPerSecond, consumerOf });
      load.push(started);
      return started;
    };
    const noticed: string[] = [];
    const takeovers: Takeover[] = [];
    const disturbed: DisturbedSystem = { environment, observationLog, consumers, steady, noticed };
    const faults = new Faults(disturbed, log);
    const system: RunningSystem = { ...disturbed, faults, takeovers, random: seededRandom(seed), produce };
    log('the system is up');
    await scenario.course(system);
    await Promise.all(load.map((producers) => producers.finish()));
    const undisturbedAtMs = Date.now();
    const accepted = load.flatMap((producers) => producers.accepted);
    log(`${accepted.length} events were accepted; waiting for their deliveries`);
    await settle(environment, observationLog, accepted, scenario.idleLimitMs ?? 60_000);
    const settledAtMs = Date.now();
    await Promise.all(environment.workers.map((worker) => worker.close()));
    return {
      verdict: judge({
        accepted,
        arrivals: observationLog.arrivals.toSorted((a, b) => a.beganSequence - b.beganSequence),
        bodies: observationLog.bodies,
        history: await readHistory(environment),
        faults: faults.done,
        steady,
        takeovers,
        limits: scenario.limits ?? null,
        noticed: [...noticed, ...load.flatMap((producers) => producers.faults)],
      }),
      faults: faults.done,
      accepted: accepted.length,
      unanswered: load.reduce((sum, { unanswered }) => sum + unanswered, 0),
      unexpectedExits: environment.processes.flatMap((p) =>
        p.unexpectedExits.map((exit) => ({ process: p.name, ...exit })),
      ),
      recoveryMs: settledAtMs - undisturbedAtMs,
    };
  } finally {
    await environment.close();
    await Promise.all(consumers.map((consumer) => consumer.close()));
  }
}

const DEADLINE_MS = 120_000;

/** Waits until everything has arrived and is recorded, or nothing has changed for `idleLimitMs`. */
async function settle(
  environment: ChaosEnvironment,
  observationLog: ObservationLog,
  accepted: readonly AcceptedEvent[],
  idleLimitMs: number,
): Promise<void> {
  const wanted = accepted.flatMap((e) => e.consumers.map((c) => deliveryKey(e.notificationId, c)));
  const begun = performance.now();
  let progressAt = begun;
  let before = '';
  for (;;) {
    const missing = wanted.filter((key) => !observationLog.acknowledged.has(key)).length;
    const pending = await environment.countPending();
    if (missing === 0 && pending === 0) return;
    const now = performance.now();
    const state = `${missing} ${pending}`;
    if (state !== before) progressAt = now;
    before = state;
    if (now - progressAt > idleLimitMs || now - begun > DEADLINE_MS) return;
    await pause(200);
  }
}
