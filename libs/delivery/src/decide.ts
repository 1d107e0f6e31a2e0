import type { Outcome } from '#libs/contracts';
import { nextDelayMs } from './retry-schedule.js';

/** Why an attempt was a delivery's last one without success. */
export type DeadReason = 'schedule_used_up';

/** What became of a delivery through the attempt just made. */
export type Decision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: Date; readonly delayMs: number }
  | { readonly kind: 'dead'; readonly reason: DeadReason };

export interface AttemptFacts {
  readonly outcome: Outcome;
  /** The number of the attempt just made, from 1. */
  readonly attempt: number;
  /** The consumer's waits in milliseconds; see `DEFAULT_RETRY_SCHEDULE_MS`. */
  readonly schedule: readonly number[];
  readonly now: Date;
  /** Uniform in [0, 1). */
  readonly random: number;
  readonly retryAfterMs: number | null;
}

/** Exhaustive: a new outcome does not compile until somebody has decided what it means. */
const MEANING: Readonly<Record<Outcome, 'finishes' | 'fails'>> = {
  acknowledged: 'finishes',
  http_status: 'fails',
  redirect: 'fails',
  timeout: 'fails',
  dns: 'fails',
  connect: 'fails',
  tls: 'fails',
  reset: 'fails',
  blocked_address: 'fails',
  invalid_response: 'fails',
};

/**
 * What an attempt's outcome means for its delivery: 2xx in time finishes it, everything else is tried
 * again until the schedule is used up. No answer, 4xx included, makes a delivery dead at once: a consumer
 * that refuses today (wrong credentials, a missing route) is mended tomorrow, and the payment is still news.
 *
 * @throws RangeError when `attempt` is not a positive integer: a fault of ours.
 */
export function decide(facts: AttemptFacts): Decision {
  if (MEANING[facts.outcome] === 'finishes') return { kind: 'delivered' };
  const { schedule, attempt, random, retryAfterMs, now } = facts;
  const delayMs = nextDelayMs({ schedule, attemptsMade: attempt, random, retryAfterMs });
  if (delayMs === null) return { kind: 'dead', reason: 'schedule_used_up' };
  return { kind: 'retry', at: new Date(now.getTime() + delayMs), delayMs };
}
