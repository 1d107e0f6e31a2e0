import type { CertificateUse } from '#libs/contracts';
import type { AttemptCause } from './advice.js';

/** Fewer failed attempts never make a consumer degraded. */
export const DEGRADED_FAILURES = 3;

/** Failed attempts with one cause; the detail is that of the newest. */
export interface FailureCause extends AttemptCause {
  readonly count: number;
}

export interface CertificateInForce {
  readonly use: CertificateUse;
  readonly notAfter: Date;
}

/** Facts about a consumer at a time. */
export interface HealthFacts {
  readonly secretFault: { readonly words: string; readonly since: Date } | null;
  readonly paused: {
    readonly since: Date;
    readonly reason: string | null;
    /** Paused by the consumer's answer 410, not by a person. */
    readonly byAnswer: boolean;
  } | null;
  readonly circuitOpenedAt: Date | null;
  /** Since the circuit opened. */
  readonly failedProbes: number;
  /** Number of consecutive failed attempts; `firstFailureAt` is the time of the first. */
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Attempts of the last 15 minutes; `failedLately`: of the last 5. */
  readonly attempts: number;
  readonly failedAttempts: number;
  readonly failedLately: number;
  /** Deliveries that became dead in the last 15 minutes. */
  readonly diedLately: number;
  /** Time of the first of the failures with less than 15 minutes between them; null when unknown. */
  readonly failingSince: Date | null;
  /** Failed attempts by cause, the most frequent first. */
  readonly causes: readonly FailureCause[];
  /** First attempt of the delivery that has failed for the longest time and is still pending; null when there is none. */
  readonly oldestFailedAt: Date | null;
  readonly waiting: number;
  /** Since when the most overdue delivery is late: its due time, or the end of a pause; null when none is due. */
  readonly oldestDueAt: Date | null;
  /** Accepted and finished deliveries a minute, in the last 5 minutes; finished ones since `recoveredAt`. */
  readonly inPerMinute: number;
  readonly outPerMinute: number;
  /** End of an open circuit or a pause in the last 5 minutes; null without one. */
  readonly recoveredAt: Date | null;
  /** Dead deliveries that are not settled. */
  readonly dead: { readonly count: number; readonly oldestAt: Date | null };
  readonly certificates: readonly CertificateInForce[];
  /** Sending is paused for all consumers, which explains the backlog. */
  readonly isSendingStopped: boolean;
}
