import { setInterval as every } from 'node:timers/promises';
import { deadForAWhile, flapping, PATIENT_SCHEDULE_S, prompt, slow } from '#test/chaos/behaviours';
import type { CustomerPlan } from '#test/chaos/customers';
import type { Cast, Scenario } from '#test/chaos/scenario';
import type { PlannedFault } from '#test/chaos/schedule';
import { seededRandom } from '#test/chaos/seeded-random';

export interface ChaosOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly plan: readonly PlannedFault[];
  readonly changesPerSecond: number;
}

const PRODUCERS = 12;
const LISTEN_CHECK_MS = 50;

/** Five consumers in every condition, steady load, and the planned faults. */
export function chaosScenario({ seed, seconds, plan, changesPerSecond }: ChaosOptions): Scenario {
  const totalMs = seconds * 1_000;
  const consumer = (
    name: string,
    companies: readonly string[],
    isSteady: boolean,
    behaviour: CustomerPlan['behaviour'],
  ): CustomerPlan => ({
    name,
    companies,
    isSteady,
    behaviour,
    timeoutMs: 1_000,
    retrySchedule: PATIENT_SCHEDULE_S,
  });
  return {
    customers: [
      consumer('healthy with two companies', ['C-0', 'C-1'], true, prompt(seededRandom(seed + 3))),
      consumer('healthy', ['C-2'], true, prompt(seededRandom(seed + 4))),
      consumer('slow', ['C-3'], true, slow(seededRandom(seed + 1))),
      consumer('flapping', ['C-4'], false, flapping(seededRandom(seed + 2), totalMs)),
      consumer('dead for a while', ['C-5'], false, deadForAWhile(totalMs)),
    ],
    patienceMs: 60_000,
    play: (cast) => play(cast, plan, totalMs, changesPerSecond),
  };
}

async function play(
  { customers, faults, stage, produce }: Cast,
  plan: readonly PlannedFault[],
  totalMs: number,
  changesPerSecond: number,
): ReturnType<Scenario['play']> {
  for (const customer of customers) customer.begin();
  const producers = produce({ producers: PRODUCERS, changesPerSecond });
  const chaos = faults.follow(plan);
  chaos.catch(() => undefined);
  const endAtMs = performance.now() + totalMs;
  for await (const _ of every(LISTEN_CHECK_MS)) {
    await Promise.all(customers.map((customer) => customer.listenOrNot()));
    if (performance.now() >= endAtMs) break;
  }
  await Promise.all([chaos, producers.finish()]);
  await Promise.all(customers.map((customer) => customer.calmDown()));
  await stage.allReady();
  return producers;
}
