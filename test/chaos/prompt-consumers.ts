import { healthy } from '#test/chaos/behaviours';
import type { ConsumerPlan } from '#test/chaos/chaos-consumer';

/** A consumer without a session gets one within 2 s; after a worker's lock has run out, within 10 s. */
export const LIMITS = { usualMs: 2_000, takeoverMs: 10_000 };

/** Consumers that acknowledge at once, each with one company. @param from the number of the first company */
export const promptConsumers = (count: number, from = 0): ConsumerPlan[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `consumer ${from + index}`,
    companies: [`C-${from + index}`],
    behaviour: healthy,
    isSteady: true,
    timeoutMs: 5_000,
    retrySchedule: Array.from({ length: 12 }, () => 5),
  }));
