import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario } from '#test/chaos/scenario';

export interface SteadyOptions {
  readonly seconds: number;
  readonly changesPerSecond: number;
}

/** Of the wanted rate. */
const LEAST_SHARE = 0.9;

/** Constant load without any fault: what only time shows, such as growing tables, plans and memory. */
export const steady = ({ seconds, changesPerSecond }: SteadyOptions): Scenario => ({
  consumers: promptConsumers(12),
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  run: async ({ produce }) => {
    const producers = produce({ producers: 64, changesPerSecond });
    await pause(seconds * 1_000);
    const { length } = producers.accepted;
    await producers.finish();
    const perSecond = length / seconds;
    // Producers wait for their answers: a machine or an api that is too slow would make the load lighter unnoticed.
    const tooLight = perSecond < changesPerSecond * LEAST_SHARE;
    const { accepted, unanswered } = producers;
    const fault = `only ${perSecond.toFixed(0)} of ${changesPerSecond} events a second were accepted`;
    return { accepted, unanswered, faults: [...producers.faults, ...(tooLight ? [fault] : [])] };
  },
});
