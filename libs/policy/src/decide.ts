import type { Outcome } from '#libs/contracts';
import { nextDelayMs } from './retry-schedule.js';

/** RFC 9110, 15.5.11: the resource is gone intentionally and probably for good. */
const GONE = 410;

/** What follows from an attempt for its delivery. */
export type Decision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead' }
  /** The delivery waits for the consumer; `spendsAttempt`: the attempt counts in its schedule. */
  | { readonly kind: 'hold'; readonly reason: 'paused' | 'circuit'; readonly spendsAttempt: boolean };

export interface AttemptFacts {
  readonly outcome: Outcome;
  /** The answer's status, or null when none came. */
  readonly httpStatus: number | null;
  /** A probe through an open circuit. */
  readonly probe: boolean;
  /** Number of the attempt in its schedule, from 1. */
  readonly attempt: number;
  /** The consumer's waits in milliseconds; see `DEFAULT_RETRY_SCHEDULE_MS`. */
  readonly schedule: readonly number[];
  /** Uniform in [0, 1). */
  readonly random: number;
  readonly retryAfterMs: number | null;
}

/** Exhaustive: a new outcome does not compile without an entry. */
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
 * Decides what follows from an attempt for its delivery: 2xx in time finishes it, everything else is retried until
 * the schedule is used up. Even a 4xx does not make a delivery dead at once: the cause of a refusal (wrong
 * credentials, a missing route) can be repaired, and the notification is still useful then.
 *
 * 410 pauses the consumer: its deliveries wait without using up their schedule. A failed probe was about the consumer, not
 * the delivery, and does not count as an attempt.
 *
 * @throws RangeError when `attempt` is not a positive integer: an internal error.
 */
export function decide(facts: AttemptFacts): Decision {
  if (succeeds(facts.outcome)) return { kind: 'delivered' };
  if (asksForPause(facts.httpStatus)) return { kind: 'hold', reason: 'paused', spendsAttempt: !facts.probe };
  if (facts.probe) return { kind: 'hold', reason: 'circuit', spendsAttempt: false };
  const { schedule, attempt, random, retryAfterMs } = facts;
  const delayMs = nextDelayMs({ schedule, attemptsMade: attempt, random, retryAfterMs });
  return delayMs === null ? { kind: 'dead' } : { kind: 'retry', delayMs };
}

/** Whether an outcome finishes the delivery. */
export const succeeds = (outcome: Outcome): boolean => MEANING[outcome] === 'finishes';

/** Whether an answer pauses its consumer until an operator resumes it. */
export const asksForPause = (httpStatus: number | null): boolean => httpStatus === GONE;
