import type { Outcome } from '#libs/contracts';
import { nextDelayMs } from './retry-schedule.js';

/** RFC 9110, 15.5.11: the resource is gone, on purpose and likely for good. */
const GONE = 410;

/** What became of a delivery through the attempt just made. */
export type Decision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead' }
  /** It waits for the consumer; `spendsAttempt`: the attempt counts in its schedule. */
  | { readonly kind: 'hold'; readonly reason: 'paused' | 'circuit'; readonly spendsAttempt: boolean };

export interface AttemptFacts {
  readonly outcome: Outcome;
  /** The answer's status, or null when none came. */
  readonly httpStatus: number | null;
  /** It was let through an open circuit. */
  readonly probe: boolean;
  /** The place in its schedule of the attempt just made, from 1. */
  readonly attempt: number;
  /** The consumer's waits in milliseconds; see `DEFAULT_RETRY_SCHEDULE_MS`. */
  readonly schedule: readonly number[];
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
 * 410 pauses the consumer, so the delivery waits instead of wearing out its schedule, even at its end. A failed
 * probe asked about the consumer, not for the delivery: it spends nothing.
 *
 * @throws RangeError when `attempt` is not a positive integer: a fault of ours.
 */
export function decide(facts: AttemptFacts): Decision {
  if (succeeds(facts.outcome)) return { kind: 'delivered' };
  if (asksForPause(facts.httpStatus)) return { kind: 'hold', reason: 'paused', spendsAttempt: !facts.probe };
  if (facts.probe) return { kind: 'hold', reason: 'circuit', spendsAttempt: false };
  const { schedule, attempt, random, retryAfterMs } = facts;
  const delayMs = nextDelayMs({ schedule, attemptsMade: attempt, random, retryAfterMs });
  return delayMs === null ? { kind: 'dead' } : { kind: 'retry', delayMs };
}

/** Whether an outcome finishes its delivery. */
export const succeeds = (outcome: Outcome): boolean => MEANING[outcome] === 'finishes';

/** Whether an answer pauses its consumer until an operator resumes it. */
export const asksForPause = (httpStatus: number | null): boolean => httpStatus === GONE;
