import { setInterval as every, setTimeout as pause } from 'node:timers/promises';
import { deadForAWhile, flapping, PATIENT_SCHEDULE_S, prompt, slow } from '#test/chaos/behaviours';
import type { CustomerPlan } from '#test/chaos/customers';
import type { PlannedFault } from '#test/chaos/fault-kinds';
import type { Cast, Scenario } from '#test/chaos/scenario';
import { seededRandom } from '#test/chaos/seeded-random';

export interface ChaosOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly plan: readonly PlannedFault[];
  readonly changesPerSecond: number;
}

const PRODUCERS = 12;
const LISTEN_CHECK_MS = 50;

/** Five consumers in every condition, the planned faults, and steady load until the last of them is over. */
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
  const chaos = Promise.all([faults.follow(plan), pause(totalMs)]);
  // Faults may be late, and no fault is to meet an idle system.
  let isOver = false;
  chaos.then(() => (isOver = true)).catch(() => (isOver = true));
  for await (const _ of every(LISTEN_CHECK_MS)) {
    await Promise.all(customers.map((customer) => customer.listenOrNot()));
    if (isOver) break;
  }
  await Promise.all([chaos, producers.finish()]);
  await Promise.all(customers.map((customer) => customer.calmDown()));
  await stage.allReady();
  return producers;
}
