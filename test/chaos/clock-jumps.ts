import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '#test/chaos/clocks';
import type { PlannedClockJump } from '#test/chaos/fault-kinds';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';
import type { SeededRandom } from '#test/chaos/seeded-random';
import { TAKEOVER_MS } from '#test/chaos/take-over';

/** Less than the minute of failures that opens a consumer's circuit. */
const JUMP_MS: readonly [number, number] = [15_000, 25_000];

type Jump = Pick<PlannedClockJump, 'kind' | 'shiftMs'>;

/** An api behind is left out: it rightly refuses every event that is on time as one of the future. */
const JUMPS: readonly Jump[] = [
  { kind: 'clock jump of a worker', shiftMs: HOUR_MS },
  { kind: 'clock jump of a worker', shiftMs: -HOUR_MS },
  { kind: 'clock jump of an api', shiftMs: HOUR_MS },
];

/** The clock of one process jumps by an hour and back, while consumers refuse what it signs meanwhile. */
export const clockJumps = (random: SeededRandom): Scenario => ({
  consumers: promptConsumers(12),
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  run: (context) => run(context, random),
});

async function run(
  { faults, produce, takeovers }: ScenarioContext,
  random: SeededRandom,
): ReturnType<Scenario['run']> {
  const producers = produce({ producers: 12, changesPerSecond: 60 });
  for (const jump of random.shuffled(JUMPS)) {
    await pause(random.integer(5_000, 8_000));
    const forMs = random.integer(...JUMP_MS);
    const fromMs = Date.now();
    await faults.execute({ ...jump, atMs: 0, forMs, target: random.integer(0, 1) });
    // Less is sent to a consumer that has refused ten POSTs in a row.
    takeovers.push({ fromMs, untilMs: Date.now() + TAKEOVER_MS });
  }
  await pause(15_000);
  await producers.finish();
  return producers;
}
