import { setTimeout as pause } from 'node:timers/promises';
import { healthy } from '#test/chaos/behaviours';
import type { ConsumerPlan } from '#test/chaos/chaos-consumer';
import type { ScenarioContext, Scenario } from '#test/chaos/scenario';
import { seededRandom, type SeededRandom } from '#test/chaos/seeded-random';

export const REGIMES = ['workers-come-and-go', 'worker-without-postgres'] as const;
/** A condition that lasts, in contrast to a fault that is over at once. */
export type Regime = (typeof REGIMES)[number];

export const isRegime = (name: string): name is Regime => REGIMES.some((regime) => regime === name);

/** A consumer without a session gets one within 2 s; after a worker's lock has run out, within 10 s. */
const LIMITS = { usualMs: 2_000, takeoverMs: 10_000 };
const TAKEOVER_MS = 10_000;

/** The scenario of a regime; the seed decides the times and the order. */
export function regimeScenario(regime: Regime, seed: number): Scenario {
  const random = seededRandom(seed);
  switch (regime) {
    case 'workers-come-and-go':
      return {
        consumers: promptConsumers(12),
        idleLimitMs: 60_000,
        serviceLimits: LIMITS,
        run: (context) => comeAndGo(context, random),
      };
    case 'worker-without-postgres':
      return {
        consumers: promptConsumers(24),
        idleLimitMs: 60_000,
        serviceLimits: LIMITS,
        run: (context) => cutOff(context, random),
      };
  }
}

const promptConsumers = (count: number): ConsumerPlan[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `consumer ${index}`,
    companies: [`C-${index}`],
    behaviour: healthy,
    isSteady: true,
    timeoutMs: 5_000,
    retrySchedule: Array.from({ length: 12 }, () => 5),
  }));

/** Disturbs this worker alone, whose consumers another worker takes over when the lock has run out. */
async function takeOver(
  { faults, takeovers, observationLog }: ScenarioContext,
  worker: number,
  label: string,
  disturb: () => Promise<void>,
): Promise<void> {
  const beganAtMs = Date.now();
  const inFlight = observationLog.open;
  takeovers.push({ fromMs: beganAtMs, untilMs: beganAtMs + TAKEOVER_MS });
  await disturb();
  faults.done.push({ label, worker, beganAtMs, endedAtMs: Date.now(), inFlight });
}

/** Three times a third worker comes for 12 s and leaves by SIGTERM; at last one of the others is killed and returns. */
async function comeAndGo(context: ScenarioContext, random: SeededRandom): ReturnType<Scenario['run']> {
  const { environment, produce } = context;
  const producers = produce({ producers: 12, changesPerSecond: 60 });
  const { spareWorker } = environment;
  for (let times = 0; times < 3; times += 1) {
    await pause(random.integer(4_000, 8_000));
    await spareWorker.start();
    await spareWorker.ready();
    await pause(12_000);
    await spareWorker.leave();
  }
  await pause(15_000);
  const killed = random.pick([0, 1]);
  await takeOver(context, killed, 'SIGKILL worker', async () => {
    await environment.workers[killed]?.endAndReturn('SIGKILL', 15_000);
  });
  await pause(5_000);
  await producers.finish();
  await environment.allReady();
  return producers;
}

/** The worker with a link and a role of its own. */
const OWN_WORKER = 1;

/** Makes PostgreSQL unreachable for this worker. @returns ends the cut */
type Cut = (environment: ScenarioContext['environment']) => Promise<() => Promise<void>>;

const CUTS: Readonly<Record<string, Cut>> = {
  refused: async ({ ownLink }) => {
    ownLink.refuse(true);
    return async () => ownLink.refuse(false);
  },
  blackholed: async ({ ownLink }) => {
    ownLink.set({ kind: 'blackhole' });
    return async () => ownLink.set({ kind: 'normal' });
  },
  'one-way': async ({ ownLink }) => {
    ownLink.set({ kind: 'one-way link', drops: 'from server' });
    return async () => ownLink.set({ kind: 'normal' });
  },
  'no connection left for its role': async (environment) => {
    await environment.query(`alter role ${environment.ownRole} connection limit 0`);
    await environment.endConnectionsOfOwnRole();
    return async () =>
      void (await environment.query(`alter role ${environment.ownRole} connection limit -1`));
  },
  'password refused': async (environment) => {
    await environment.query(`alter role ${environment.ownRole} password 'changed'`);
    await environment.endConnectionsOfOwnRole();
    return async () =>
      void (await environment.query(
        `alter role ${environment.ownRole} password '${environment.ownPassword}'`,
      ));
  },
};

/** One of two workers loses PostgreSQL alone, in five ways, each for 14 s. */
async function cutOff(context: ScenarioContext, random: SeededRandom): ReturnType<Scenario['run']> {
  const { environment, produce } = context;
  const producers = produce({ producers: 12, changesPerSecond: 60 });
  for (const [name, cut] of random.shuffled(Object.entries(CUTS))) {
    await pause(random.integer(6_000, 9_000));
    await takeOver(context, OWN_WORKER, `PostgreSQL ${name} for one worker`, async () => {
      const end = await cut(environment);
      await pause(14_000);
      await end();
      await environment.allReady();
    });
  }
  await pause(5_000);
  await producers.finish();
  return producers;
}
