import { setInterval as every } from 'node:timers/promises';
import { healthy } from '#test/chaos/behaviours';
import type { ConsumerPlan } from '#test/chaos/chaos-consumer';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';

const HANGS_FOR_MS = 30_000;
const LOOKS_EVERY_MS = 10;

/** It hangs from its first POST on. */
const hanging = (plan: ConsumerPlan): ConsumerPlan => ({
  ...plan,
  isSteady: false,
  timeoutMs: 10_000,
  behaviour: () => 'hang',
});

/** A session begins with 4 POSTs at once; during a handover the former one may have as many in flight. */
const MOST_OPEN = 8;

/** Three consumers never answer, with a backlog and room for many POSTs at once: few are tried at a time. */
export const neverAnswering = (): Scenario => ({
  consumers: promptConsumers(3).map((plan) => ({ ...hanging(plan), maxConcurrency: 50 })),
  idleLimitMs: 60_000,
  run: async (context) => {
    const producers = context.produce({ producers: 12, changesPerSecond: 120 });
    const mostOpen = await hang(context);
    await producers.finish();
    const faults = [...mostOpen].flatMap(([name, most]) =>
      most <= MOST_OPEN ? [] : [`${name} had ${most} POSTs open without having answered one`],
    );
    const { accepted, unanswered } = producers;
    return { accepted, unanswered, faults: [...producers.faults, ...faults] };
  },
});

/** More consumers hang, each with a few POSTs, than the workers have slots. Healthy ones beside them must not wait. */
export const moreHangThanSlots = (): Scenario => ({
  consumers: [...promptConsumers(4), ...promptConsumers(24, 4).map(hanging)],
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  workerEnv: { WORKER_CONCURRENCY: '16' },
  run: async (context) => {
    const producers = context.produce({ producers: 24, changesPerSecond: 200 });
    await hang(context);
    await producers.finish();
    return producers;
  },
});

/** Lets the consumers hang for a while. @returns the most POSTs that each had open at once */
async function hang({ consumers, faults, observationLog }: ScenarioContext): Promise<Map<string, number>> {
  const unsteady = consumers.filter(({ plan }) => !plan.isSteady);
  const most = new Map<string, number>();
  const beganAtMs = Date.now();
  const untilMs = performance.now() + HANGS_FOR_MS;
  for await (const _ of every(LOOKS_EVERY_MS)) {
    for (const { consumerId, plan } of unsteady)
      most.set(plan.name, Math.max(most.get(plan.name) ?? 0, observationLog.openTo(consumerId)));
    if (performance.now() > untilMs) break;
  }
  unsteady.forEach((consumer) => consumer.behave(healthy));
  const label = `${unsteady.length} consumers hang`;
  faults.done.push({ label, worker: undefined, beganAtMs, endedAtMs: Date.now(), inFlight: 0 });
  return most;
}
