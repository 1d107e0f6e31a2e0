import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';
import { cutOwnLink } from '#test/chaos/cut-own-link';
import { CUT_PROCESS, CUTS, type LinkName } from '#test/chaos/fault-kinds';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';
import type { SeededRandom } from '#test/chaos/seeded-random';
import { takeOver } from '#test/chaos/take-over';

/** Longer than the 6 s after which a worker without PostgreSQL ends its sessions. */
const CUT_MS = 14_000;

/** Begins a disturbance of one process. @returns ends it */
type Begin = (environment: ChaosEnvironment) => Promise<() => Promise<void>>;

/** One of two workers loses PostgreSQL alone, in five ways, each for 14 s. */
export const workerWithoutPostgres = (random: SeededRandom): Scenario =>
  scenario((context) =>
    inTurn(context, random, {
      ...linkCuts({ from: 'worker', to: 'PostgreSQL' }),
      'no connection left for its role of PostgreSQL': async (environment) => {
        await environment.query(`alter role ${environment.ownRole} connection limit 0`);
        await environment.endConnectionsOfOwnRole();
        return async () =>
          void (await environment.query(`alter role ${environment.ownRole} connection limit -1`));
      },
      'password refused by PostgreSQL': async (environment) => {
        const { ownRole, ownPassword } = environment;
        await environment.query(`alter role ${ownRole} password 'changed'`);
        await environment.endConnectionsOfOwnRole();
        return async () => void (await environment.query(`alter role ${ownRole} password '${ownPassword}'`));
      },
    }),
  );

/** One of two workers loses Redis alone, in three ways, each for 14 s. */
export const workerWithoutRedis = (random: SeededRandom): Scenario =>
  scenario((context) => inTurn(context, random, linkCuts({ from: 'worker', to: 'Redis' })));

/**
 * One of two apis loses PostgreSQL alone, in three ways, each for 14 s. Producers repeat at the other api what it does not
 * answer, and no consumer waits longer than usual.
 */
export const apiWithoutPostgres = (random: SeededRandom): Scenario =>
  scenario((context) => inTurn(context, random, linkCuts({ from: 'api', to: 'PostgreSQL' })));

const scenario = (run: Scenario['run']): Scenario => ({
  consumers: promptConsumers(24),
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  run,
});

const linkCuts = (name: LinkName): Record<string, Begin> =>
  Object.fromEntries(
    CUTS.map((cut): [string, Begin] => [
      `${name.to} ${cut} for one ${name.from}`,
      (environment) => cutOwnLink(environment, name, cut),
    ]),
  );

async function inTurn(
  context: ScenarioContext,
  random: SeededRandom,
  disturbances: Readonly<Record<string, Begin>>,
): ReturnType<Scenario['run']> {
  const { environment, faults, observationLog, produce } = context;
  const producers = produce({ producers: 12, changesPerSecond: 60 });
  for (const [label, begin] of random.shuffled(Object.entries(disturbances))) {
    await pause(random.integer(6_000, 9_000));
    const disturb = async (): Promise<void> => {
      const end = await begin(environment);
      await pause(CUT_MS);
      await end();
      await environment.allReady();
    };
    if (!label.endsWith('api')) {
      await takeOver(context, CUT_PROCESS, label, disturb);
      continue;
    }
    const [beganAtMs, inFlight] = [Date.now(), observationLog.open];
    await disturb();
    faults.done.push({ label, worker: undefined, beganAtMs, endedAtMs: Date.now(), inFlight });
  }
  await pause(5_000);
  await producers.finish();
  return producers;
}
