import { setTimeout as pause } from 'node:timers/promises';
import { ChaosConsumer } from '#test/chaos/chaos-consumer';
import { Faults } from '#test/chaos/faults';
import { catchUp } from '#test/chaos/catch-up';
import { explain } from '#test/chaos/duplicates';
import { historyFaults, readHistory, recordedAttempts } from '#test/chaos/history';
import { ObservationLog } from '#test/chaos/observation-log';
import { deliveryKey, type AcceptedEvent } from '#test/chaos/observations';
import { Producers } from '#test/chaos/producers';
import type { Findings } from '#test/chaos/report';
import { spentAttempts } from '#test/chaos/spent-attempts';
import type { Scenario } from '#test/chaos/scenario';
import { unserved, type Takeover } from '#test/chaos/unserved';
import { ChaosEnvironment, type ChaosEnvironmentOptions } from '#test/chaos/chaos-environment';
import { judge } from '#test/chaos/verdict';
import { wrongClocks } from '#test/chaos/wrong-clocks';
import { ApiClient } from '#test/support/api-client';

export interface RunOptions extends ChaosEnvironmentOptions {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly log: (line: string) => void;
}

const POLL_MS = 200;

/** Runs a scenario in its own environment and checks the result. */
export async function run({ seed, scenario, log, ...environmentOptions }: RunOptions): Promise<Findings> {
  const environment = await ChaosEnvironment.open({
    ...environmentOptions,
    ...(scenario.workerEnv === undefined ? {} : { workerEnv: scenario.workerEnv }),
  });
  const observationLog = new ObservationLog();
  const consumers: ChaosConsumer[] = [];
  try {
    const apis = environment.apis.map((api) => api.baseUrl);
    const client = new ApiClient(apis[0] ?? '', environment.adminKey);
    for (const plan of scenario.consumers)
      consumers.push(await ChaosConsumer.register(client, plan, observationLog));
    const consumerOf = new Map(
      consumers.flatMap((c) => c.plan.companies.map((name) => [name, c.consumerId])),
    );
    const steady = consumers.filter((c) => c.plan.isSteady).map((c) => c.consumerId);
    const faults = new Faults({ environment, observationLog, steady }, log);
    const takeovers: Takeover[] = [];
    log('the system is up');
    const startedAtMs = Date.now();
    const {
      accepted,
      faults: producerFaults,
      unanswered,
    } = await scenario.run({
      environment,
      consumers,
      observationLog,
      faults,
      takeovers,
      produce: ({ producers: count, changesPerSecond }) =>
        new Producers({ apis, adminKey: environment.adminKey, seed, count, changesPerSecond, consumerOf }),
    });
    const undisturbedAtMs = Date.now();
    log(`${accepted.length} events were accepted; waiting for their deliveries`);
    await settle(environment, observationLog, accepted, scenario.idleLimitMs);
    const settledAtMs = Date.now();
    await Promise.all(environment.workers.map((worker) => worker.close()));

    const history = await readHistory(environment);
    const arrivals = observationLog.arrivals.toSorted((a, b) => a.beganSequence - b.beganSequence);
    const ended = history.deliveries.filter((d) => d.state !== 'delivered');
    const verdict = judge({
      accepted,
      arrivals,
      bodies: observationLog.bodies,
      storedBodies: history.bodies,
      wrongClocks: wrongClocks(faults.done),
      excluded: new Set(ended.map((d) => deliveryKey(d.event_id, d.consumer_id))),
    });
    return {
      verdict,
      explained: explain(verdict.duplicates, faults.done, {
        attempts: recordedAttempts(history),
        openings: history.openings,
      }),
      historyFaults: [...historyFaults(history, accepted, arrivals, faults.done), ...producerFaults],
      reconciled: environment.log.reconciled,
      refusedRecords: environment.log.refusedRecords,
      openings: history.openings.length,
      faults: faults.done,
      spent: spentAttempts(history, new Set(steady), faults.done),
      catchUp: catchUp({ accepted, arrivals, steady: new Set(steady), faults: faults.done }),
      unserved: unserved({
        accepted,
        arrivals,
        prompt: new Set(steady),
        takeovers,
        limits: scenario.serviceLimits ?? null,
      }),
      accepted: accepted.length,
      unanswered,
      ended: ended.length,
      arrivals: arrivals.length,
      unknownSenders: arrivals.filter((arrival) => arrival.worker === null).length,
      attempts: Object.fromEntries(
        [...Map.groupBy(history.attempts, (a) => a.outcome)].map(([outcome, found]) => [
          outcome,
          found.length,
        ]),
      ),
      unexpectedExits: environment.processes.flatMap((p) =>
        p.unexpectedExits.map((exit) => ({ process: p.name, ...exit })),
      ),
      loadMs: undisturbedAtMs - startedAtMs,
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
    await pause(POLL_MS);
  }
}
