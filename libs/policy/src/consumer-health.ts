import type { HealthState, Side } from '#libs/contracts';
import { backlogTrend, type BacklogTrend } from './backlog.js';
import {
  adviceInWords,
  certificateNotices,
  causeOf,
  sideOf,
  summaryInWords,
  type MainCause,
  type Notice,
} from './consumer-health-words.js';
import { DEGRADED_FAILURES, type HealthFacts } from './health-facts.js';

/** Time span of the attempts whose share of failures counts. */
export const HEALTH_WINDOW_MS = 15 * 60_000;
/** A share of failures counts only if the last failure is not older than this. */
export const LATELY_MS = 5 * 60_000;
const DEGRADED_SHARE = 0.1;
/**
 * A delivery that fails for longer is late: the first three retries of the default schedule, which come within this time,
 * have not delivered it.
 */
const FIRST_RETRIES_MS = 3 * 60_000;
/** A backlog is late from this age of its oldest due delivery; rates, which cover this time, then say how it changes. */
const LATE_MS = 5 * 60_000;
/** A backlog that needs longer to drain does not count as draining. */
const DRAINS_WITHIN_S = 30 * 60;
/** A longer pause was probably forgotten, so it does not count as planned. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/** Health of a consumer, for screens, api, metrics and alerts. */
export interface ConsumerHealth extends BacklogTrend {
  readonly state: HealthState;
  /** Beginning of the state; while down, the first failure after the last success. Null while healthy. */
  readonly since: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly summary: string;
  readonly advice: string;
  readonly cause: MainCause | null;
  readonly side: Side | null;
  /** Share of successes in the attempts of the last 15 minutes; null without attempts. */
  readonly successShare: number | null;
  readonly failures: number;
  readonly failedProbes: number;
  readonly waiting: number;
  readonly oldestDueAt: Date | null;
  readonly inPerMinute: number;
  readonly outPerMinute: number;
  readonly dead: HealthFacts['dead'];
  readonly notices: readonly Notice[];
  /** Paused by a person, and not too long ago. */
  readonly planned: boolean;
  /** Lower is worse. */
  readonly rank: number;
}

/** Health of a consumer at a time. */
export function consumerHealth(facts: HealthFacts, now: Date): ConsumerHealth {
  const { trend, drainsInSeconds } = backlogTrend(facts);
  const state = stateOf(facts, { trend, drainsInSeconds }, now);
  const cause = state === 'down' || state === 'degraded' ? causeOf(facts, isStreak(facts)) : null;
  const notices = certificateNotices(facts.certificates, now);
  const planned = state === 'paused' && isPlanned(facts, now);
  const found = { state, trend, drainsInSeconds, cause, planned, now };
  return {
    state,
    since: sinceOf(state, facts),
    lastSuccessAt: facts.lastSuccessAt,
    summary: summaryInWords(facts, found),
    advice: adviceInWords(facts, found),
    cause: cause?.shown ?? null,
    side: sideOf(state, cause?.main ?? null),
    successShare: facts.attempts === 0 ? null : (facts.attempts - facts.failedAttempts) / facts.attempts,
    failures: facts.failures,
    failedProbes: facts.failedProbes,
    waiting: facts.waiting,
    oldestDueAt: facts.oldestDueAt,
    inPerMinute: facts.inPerMinute,
    outPerMinute: facts.outPerMinute,
    trend,
    drainsInSeconds,
    dead: facts.dead,
    notices,
    planned,
    rank: rankOf(state, planned, facts.dead.count, notices.length),
  };
}

/** Whether an operator should look at the consumer: it is not healthy, or has dead deliveries or notices. */
export const needsAttention = ({ state, dead, notices }: ConsumerHealth): boolean =>
  state !== 'healthy' || dead.count > 0 || notices.length > 0;

/** Sorts the worst first; equal ones by most waiting deliveries, then by the longest time in their state. */
export const worstFirst = (one: ConsumerHealth, other: ConsumerHealth): number =>
  one.rank - other.rank || other.waiting - one.waiting || beganAt(one) - beganAt(other);

const beganAt = ({ since, dead }: ConsumerHealth): number =>
  (since ?? dead.oldestAt)?.getTime() ?? Number.MAX_SAFE_INTEGER;

function stateOf(facts: HealthFacts, backlog: BacklogTrend, now: Date): HealthState {
  if (facts.secretFault !== null) return 'credentials_broken';
  // Nothing is sent to a paused consumer, so former failures do not count.
  if (facts.paused !== null) return 'paused';
  if (facts.circuitOpenedAt !== null) return 'down';
  if (isDegraded(facts, now)) return 'degraded';
  return isBehind(facts, backlog, now) ? 'falling_behind' : 'healthy';
}

/** Whether the consumer is down or degraded, so that the causes of its failures are needed. */
export const isFailing = (facts: HealthFacts, now: Date): boolean =>
  facts.secretFault === null &&
  facts.paused === null &&
  (facts.circuitOpenedAt !== null || isDegraded(facts, now));

/** Enough attempts fail, and a delivery is late for it: a failure that the next attempt corrects is ordinary. */
const isDegraded = (facts: HealthFacts, now: Date): boolean =>
  (isStreak(facts) || isShare(facts)) && (facts.diedLately > 0 || isLate(facts, now));

/** Whether a delivery still fails after its first retries. While nothing is sent at all, that is not the consumer's fault. */
const isLate = ({ oldestFailedAt, isSendingStopped }: HealthFacts, now: Date): boolean =>
  oldestFailedAt !== null && !isSendingStopped && now.getTime() - oldestFailedAt.getTime() > FIRST_RETRIES_MS;

/** Whether consecutive failures make the consumer down or degraded; otherwise the share of failures can. */
export const isStreak = ({
  failures,
  circuitOpenedAt,
}: Pick<HealthFacts, 'failures' | 'circuitOpenedAt'>): boolean =>
  failures >= DEGRADED_FAILURES || circuitOpenedAt !== null;

const isShare = ({ attempts, failedAttempts, failedLately }: HealthFacts): boolean =>
  failedLately > 0 && failedAttempts >= DEGRADED_FAILURES && failedAttempts >= DEGRADED_SHARE * attempts;

function isBehind(facts: HealthFacts, backlog: BacklogTrend, now: Date): boolean {
  const { oldestDueAt, recoveredAt, isSendingStopped } = facts;
  // What waited for the end of an outage or a pause is late by that, and its rates are not known yet.
  if (oldestDueAt === null || recoveredAt !== null || isSendingStopped) return false;
  const overdueMs = now.getTime() - oldestDueAt.getTime();
  return overdueMs > LATE_MS && (backlog.drainsInSeconds ?? Number.POSITIVE_INFINITY) > DRAINS_WITHIN_S;
}

const isPlanned = ({ paused }: HealthFacts, now: Date): boolean =>
  paused !== null && !paused.byAnswer && now.getTime() - paused.since.getTime() < FORGOTTEN_AFTER_MS;

function sinceOf(state: HealthState, facts: HealthFacts): Date | null {
  const { secretFault, paused, circuitOpenedAt, firstFailureAt, failingSince, oldestDueAt } = facts;
  const { oldestFailedAt } = facts;
  switch (state) {
    case 'credentials_broken':
      return secretFault?.since ?? null;
    case 'paused':
      return paused?.since ?? null;
    case 'down':
      return earlier(firstFailureAt, circuitOpenedAt);
    case 'degraded':
      // A late delivery may have failed long before, and failures can be older than the first late delivery.
      return later(
        isStreak(facts) ? (firstFailureAt ?? failingSince) : earlier(failingSince, firstFailureAt),
        facts.diedLately > 0 ? null : oldestFailedAt,
      );
    case 'falling_behind':
      return oldestDueAt;
    case 'healthy':
      return null;
  }
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || other === null ? (one ?? other) : one < other ? one : other;

const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || other === null ? (one ?? other) : one > other ? one : other;

function rankOf(state: HealthState, planned: boolean, dead: number, notices: number): number {
  switch (state) {
    case 'credentials_broken':
      return 0;
    case 'down':
      return 1;
    case 'paused':
      return planned ? (dead > 0 ? 6 : 7) : 2;
    case 'degraded':
      return 3;
    case 'falling_behind':
      return 4;
    case 'healthy':
      return dead > 0 ? 5 : notices > 0 ? 8 : 9;
  }
}
