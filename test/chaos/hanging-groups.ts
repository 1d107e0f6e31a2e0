import { setTimeout as pause } from 'node:timers/promises';
import { healthy } from '#test/chaos/behaviours';
import type { ConsumerPlan } from '#test/chaos/chaos-consumer';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';
import type { SeededRandom } from '#test/chaos/seeded-random';

const HEALTHY = 12;
const HANGING = 12;
/** Of each worker, so that a few consumers that hang with ten open requests each could fill them. */
const SLOTS = 64;
const TIMEOUT_MS = 10_000;
/** Longer than the timeout, so that every request of a hanging consumer fails. */
const HANGS_FOR_MS: readonly [number, number] = [12_000, 18_000];

/**
 * Two groups of six consumers hang, first one after the other and then together, beside twelve healthy ones, which must
 * not wait for them. All answer again in the end.
 */
export const hangingGroups = (random: SeededRandom): Scenario => ({
  consumers: [...promptConsumers(HEALTHY), ...promptConsumers(HANGING, HEALTHY).map(hanging)],
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  workerEnv: { WORKER_CONCURRENCY: String(SLOTS) },
  run: (context) => run(context, random),
});

const hanging = (plan: ConsumerPlan): ConsumerPlan => ({ ...plan, isSteady: false, timeoutMs: TIMEOUT_MS });

async function run(context: ScenarioContext, random: SeededRandom): ReturnType<Scenario['run']> {
  const { consumers, faults, observationLog, produce } = context;
  const unsteady = random.shuffled(consumers.filter(({ plan }) => !plan.isSteady));
  const groups = [unsteady.slice(0, HANGING / 2), unsteady.slice(HANGING / 2), unsteady];
  const producers = produce({ producers: 24, changesPerSecond: 120 });
  for (const group of groups) {
    await pause(random.integer(6_000, 9_000));
    const [beganAtMs, inFlight] = [Date.now(), observationLog.open];
    group.forEach((consumer) => consumer.behave(() => 'hang'));
    await pause(random.integer(...HANGS_FOR_MS));
    group.forEach((consumer) => consumer.behave(healthy));
    const label = `${group.length} consumers hang`;
    faults.done.push({ label, worker: undefined, beganAtMs, endedAtMs: Date.now(), inFlight });
  }
  await pause(TIMEOUT_MS);
  await producers.finish();
  return producers;
}
