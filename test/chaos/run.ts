import { setTimeout as pause } from 'node:timers/promises';
import { Customer } from '#test/chaos/customers';
import { Faults } from '#test/chaos/faults';
import { catchUp } from '#test/chaos/catch-up';
import { explain } from '#test/chaos/duplicates';
import { ledgerFaults, readLedger, recordedAttempts } from '#test/chaos/ledger';
import { ObservationLog } from '#test/chaos/observation-log';
import { deliveryKey, type PromisedEvent } from '#test/chaos/observations';
import { countPending } from '#test/chaos/pending-table';
import { Producers } from '#test/chaos/producers';
import type { Findings } from '#test/chaos/report';
import { spentAttempts } from '#test/chaos/spent-attempts';
import type { Scenario } from '#test/chaos/scenario';
import { ChaosEnvironment, type ChaosEnvironmentOptions } from '#test/chaos/chaos-environment';
import { judge } from '#test/chaos/verdict';
import { ApiClient } from '#test/support/api-client';

export interface RunOptions extends ChaosEnvironmentOptions {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly tell: (line: string) => void;
}

const POLL_MS = 200;

/** Plays a scenario on a stage of its own and finds out what came of it. */
export async function run({ seed, scenario, tell, ...stageOptions }: RunOptions): Promise<Findings> {
  const stage = await ChaosEnvironment.open(stageOptions);
  const observationLog = new ObservationLog();
  const customers: Customer[] = [];
  try {
    const apis = stage.apis.map((api) => api.baseUrl);
    const client = new ApiClient(apis[0] ?? '', stage.adminKey);
    for (const plan of scenario.customers)
      customers.push(await Customer.onboard(client, plan, observationLog));
    const consumerOf = new Map(
      customers.flatMap((c) => c.plan.companies.map((name) => [name, c.consumerId])),
    );
    const steady = customers.filter((c) => c.plan.isSteady).map((c) => c.consumerId);
    const faults = new Faults({ stage, observationLog, steady }, tell);
    tell('the system is up');
    const begunAtMs = Date.now();
    const {
      promised,
      faults: producerFaults,
      unanswered,
    } = await scenario.play({
      stage,
      customers,
      observationLog,
      faults,
      produce: ({ producers: count, changesPerSecond }) =>
        new Producers({ apis, adminKey: stage.adminKey, seed, count, changesPerSecond, consumerOf }),
    });
    const calmAtMs = Date.now();
    tell(`${promised.length} events were promised; waiting for all to arrive`);
    await settle(stage, observationLog, promised, scenario.patienceMs);
    const settledAtMs = Date.now();
    await Promise.all(stage.workers.map((worker) => worker.close()));

    const ledger = await readLedger(stage);
    const arrivals = observationLog.arrivals.toSorted((a, b) => a.beganStep - b.beganStep);
    const ended = ledger.deliveries.filter((d) => d.state !== 'delivered');
    const verdict = judge({
      promised,
      arrivals,
      bodies: observationLog.bodies,
      storedBodies: ledger.bodies,
      excepted: new Set(ended.map((d) => deliveryKey(d.event_id, d.consumer_id))),
    });
    return {
      verdict,
      explained: explain(verdict.duplicates, faults.done, recordedAttempts(ledger)),
      ledgerFaults: [...ledgerFaults(ledger, promised, arrivals, faults.done), ...producerFaults],
      reconciled: stage.log.reconciled,
      refusedRecords: stage.log.refusedRecords,
      openings: ledger.openings.length,
      faults: faults.done,
      spent: spentAttempts(ledger, new Set(steady), faults.done),
      catchUp: catchUp({ promised, arrivals, steady: new Set(steady), faults: faults.done }),
      accepted: promised.length,
      unanswered,
      ended: ended.length,
      arrivals: arrivals.length,
      attempts: Object.fromEntries(
        [...Map.groupBy(ledger.attempts, (a) => a.outcome)].map(([outcome, found]) => [
          outcome,
          found.length,
        ]),
      ),
      unexpectedExits: stage.processes.flatMap((p) =>
        p.unexpectedExits.map((exit) => ({ process: p.name, ...exit })),
      ),
      loadMs: calmAtMs - begunAtMs,
      recoveryMs: settledAtMs - calmAtMs,
    };
  } finally {
    await stage.close();
    await Promise.all(customers.map((customer) => customer.close()));
  }
}

const DEADLINE_MS = 120_000;

/** Waits until all has arrived and is recorded, or nothing arrives any more for `patienceMs`. */
async function settle(
  stage: ChaosEnvironment,
  observationLog: ObservationLog,
  promised: readonly PromisedEvent[],
  patienceMs: number,
): Promise<void> {
  const wanted = promised.flatMap((e) => e.consumers.map((c) => deliveryKey(e.notificationId, c)));
  const begun = performance.now();
  let progressAt = begun;
  let before = '';
  for (;;) {
    const missing = wanted.filter((key) => !observationLog.acknowledged.has(key)).length;
    const pending = await countPending(stage);
    if (missing === 0 && pending === 0) return;
    const now = performance.now();
    const state = `${missing} ${pending}`;
    if (state !== before) progressAt = now;
    before = state;
    if (now - progressAt > patienceMs || now - begun > DEADLINE_MS) return;
    await pause(POLL_MS);
  }
}
