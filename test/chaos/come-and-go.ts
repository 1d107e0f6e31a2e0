import { setTimeout as pause } from 'node:timers/promises';
import { comeAndLeave } from '#test/chaos/execute-fault';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';
import type { SeededRandom } from '#test/chaos/seeded-random';
import { takeOver } from '#test/chaos/take-over';

/** Long enough for a worker to get its share of the sessions. */
const LONG_STAY_MS = 12_000;
const SHORT_STAY_MS = 5_000;

/**
 * A third worker comes for 12 s and leaves by SIGTERM, twice; then it comes and goes every 5 s, six times. At last one of
 * the others is killed and returns.
 */
export const comeAndGo = (random: SeededRandom): Scenario => ({
  consumers: promptConsumers(12),
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  run: (context) => run(context, random),
});

async function run(context: ScenarioContext, random: SeededRandom): ReturnType<Scenario['run']> {
  const { environment, produce } = context;
  const producers = produce({ producers: 12, changesPerSecond: 60 });
  for (let times = 0; times < 2; times += 1) {
    await pause(random.integer(4_000, 8_000));
    await comeAndLeave(environment.spareWorker, LONG_STAY_MS);
  }
  for (let times = 0; times < 6; times += 1) {
    await pause(SHORT_STAY_MS);
    await comeAndLeave(environment.spareWorker, SHORT_STAY_MS);
  }
  await pause(15_000);
  const killed = random.integer(0, 1);
  await takeOver(context, killed, 'SIGKILL worker', async () => {
    await environment.workers[killed]?.endAndReturn('SIGKILL', 15_000);
  });
  await pause(5_000);
  await producers.finish();
  await environment.allReady();
  return producers;
}
