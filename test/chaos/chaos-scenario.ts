import { setInterval as every, setTimeout as pause } from 'node:timers/promises';
import {
  downForAWhile,
  flapping,
  hangingTogether,
  LONG_SCHEDULE_S,
  prompt,
  slow,
} from '#test/chaos/behaviours';
import type { ConsumerPlan } from '#test/chaos/chaos-consumer';
import type { PlannedFault } from '#test/chaos/fault-kinds';
import type { ScenarioContext, Scenario } from '#test/chaos/scenario';
import { seededRandom } from '#test/chaos/seeded-random';

export interface ChaosOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly plan: readonly PlannedFault[];
  readonly changesPerSecond: number;
}

const PRODUCERS = 12;
const LISTEN_CHECK_MS = 50;
/** As of most consumers: a request that hangs takes its slot for this long. */
const HANGING_TIMEOUT_MS = 10_000;

/** Consumers from healthy to down, the planned faults, and constant load until the last fault is over. */
export function chaosScenario({ seed, seconds, plan, changesPerSecond }: ChaosOptions): Scenario {
  const totalMs = seconds * 1_000;
  const consumer = (
    name: string,
    companies: readonly string[],
    isSteady: boolean,
    behaviour: ConsumerPlan['behaviour'],
  ): ConsumerPlan => ({
    name,
    companies,
    isSteady,
    behaviour,
    timeoutMs: 1_000,
    retrySchedule: LONG_SCHEDULE_S,
  });
  return {
    consumers: [
      consumer('healthy with two companies', ['C-0', 'C-1'], true, prompt(seededRandom(seed + 3))),
      consumer('healthy', ['C-2'], true, prompt(seededRandom(seed + 4))),
      consumer('slow', ['C-3'], true, slow(seededRandom(seed + 1))),
      consumer('flapping', ['C-4'], false, flapping(seededRandom(seed + 2), totalMs)),
      consumer('down for a while', ['C-5'], false, downForAWhile(totalMs)),
      ...['C-6', 'C-7', 'C-8'].map((company) => ({
        ...consumer(`hanging with others, ${company}`, [company], false, hangingTogether(seed, totalMs)),
        timeoutMs: HANGING_TIMEOUT_MS,
      })),
    ],
    idleLimitMs: 60_000,
    run: (context) => run(context, plan, totalMs, changesPerSecond),
  };
}

async function run(
  { consumers, faults, environment, produce }: ScenarioContext,
  plan: readonly PlannedFault[],
  totalMs: number,
  changesPerSecond: number,
): ReturnType<Scenario['run']> {
  for (const consumer of consumers) consumer.startClock();
  const producers = produce({ producers: PRODUCERS, changesPerSecond });
  const chaos = Promise.all([faults.follow(plan), pause(totalMs)]);
  // A fault may be late; the load lasts until the last one is over.
  let isOver = false;
  chaos.then(() => (isOver = true)).catch(() => (isOver = true));
  for await (const _ of every(LISTEN_CHECK_MS)) {
    await Promise.all(consumers.map((consumer) => consumer.updateListening()));
    if (isOver) break;
  }
  await Promise.all([chaos, producers.finish()]);
  await Promise.all(consumers.map((consumer) => consumer.recover()));
  await environment.allReady();
  return producers;
}
