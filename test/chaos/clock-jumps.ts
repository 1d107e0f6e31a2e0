import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '#test/chaos/clocks';
import type { PlannedClockJump } from '#test/chaos/fault-kinds';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';
import type { SeededRandom } from '#test/chaos/seeded-random';
import { takeOver, TAKEOVER_MS } from '#test/chaos/take-over';

/** Less than the minute of failures that opens a consumer's circuit. */
const JUMP_MS: readonly [number, number] = [15_000, 25_000];

/** Long enough for its locks to be renewed with the wrong time. */
const AHEAD_BEFORE_KILL_MS = 6_000;
const RETURNS_AFTER_MS = 3_000;
/** Longer than a takeover. */
const AFTERMATH_MS = 20_000;

type Jump = Pick<PlannedClockJump, 'kind' | 'shiftMs'>;

/** An api behind is left out: it rightly refuses every event that is on time as one of the future. */
const JUMPS: readonly Jump[] = [
  { kind: 'clock jump of a worker', shiftMs: HOUR_MS },
  { kind: 'clock jump of a worker', shiftMs: -HOUR_MS },
  { kind: 'clock jump of an api', shiftMs: HOUR_MS },
];

/**
 * The clock of one process jumps by an hour and back, while consumers refuse what it signs meanwhile. At last a worker is
 * killed while its clock is ahead.
 */
export const clockJumps = (random: SeededRandom): Scenario => ({
  consumers: promptConsumers(12),
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  run: (context) => run(context, random),
});

async function run(context: ScenarioContext, random: SeededRandom): ReturnType<Scenario['run']> {
  const { faults, produce, takeovers } = context;
  const producers = produce({ producers: 12, changesPerSecond: 60 });
  for (const jump of random.shuffled(JUMPS)) {
    await pause(random.integer(5_000, 8_000));
    const forMs = random.integer(...JUMP_MS);
    const fromMs = Date.now();
    await faults.execute({ ...jump, atMs: 0, forMs, target: random.integer(0, 1) });
    // Less is sent to a consumer that has refused ten POSTs in a row.
    takeovers.push({ fromMs, untilMs: Date.now() + TAKEOVER_MS });
  }
  await pause(random.integer(5_000, 8_000));
  await killAhead(context, random.integer(0, 1));
  await pause(AFTERMATH_MS);
  await producers.finish();
  await context.environment.allReady();
  return producers;
}

/** A worker dies while its clock is ahead. What it left in the queue must not last for an hour. */
async function killAhead(context: ScenarioContext, target: number): Promise<void> {
  const { clocks, workers } = context.environment;
  const worker = workers[target];
  if (worker === undefined) throw new Error(`there is no worker ${target}`);
  await takeOver(context, target, 'clock ahead of a worker', async () => {
    await clocks.shift(worker.name, HOUR_MS);
    await pause(AHEAD_BEFORE_KILL_MS);
    const returned = worker.endAndReturn('SIGKILL', RETURNS_AFTER_MS);
    await clocks.shift(worker.name, 0);
    await returned;
  });
}
