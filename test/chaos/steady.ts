import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS, promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario } from '#test/chaos/scenario';

export interface SteadyOptions {
  readonly seconds: number;
  readonly changesPerSecond: number;
}

/** Constant load without any fault: what only time shows, such as growing tables, plans and memory. */
export const steady = ({ seconds, changesPerSecond }: SteadyOptions): Scenario => ({
  consumers: promptConsumers(12),
  idleLimitMs: 60_000,
  serviceLimits: LIMITS,
  run: async ({ produce }) => {
    const producers = produce({ producers: 32, changesPerSecond });
    await pause(seconds * 1_000);
    await producers.finish();
    return producers;
  },
});
