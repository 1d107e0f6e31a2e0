import type { CertificateUse } from '#libs/contracts';
import type { AttemptCause } from './advice.js';

/** So many consecutive failures are no accident. */
export const DEGRADED_FAILURES = 3;

/** Failed attempts with one cause; the detail is that of the newest. */
export interface FailureCause extends AttemptCause {
  readonly count: number;
}

export interface CertificateInForce {
  readonly use: CertificateUse;
  readonly notAfter: Date;
}

/** What is known of a consumer at a moment. */
export interface HealthFacts {
  readonly secretFault: { readonly words: string; readonly since: Date } | null;
  readonly paused: {
    readonly since: Date;
    readonly reason: string | null;
    /** By its own 410, not by a person. */
    readonly byAnswer: boolean;
  } | null;
  readonly circuitOpenedAt: Date | null;
  /** Consecutive failed attempts, and the first of them. */
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Attempts of the last 15 minutes; `failedLately`: of the last 5. */
  readonly attempts: number;
  readonly failedAttempts: number;
  readonly failedLately: number;
  /** The first of the failures that have followed each other within 15 minutes; null when that is not known. */
  readonly failingSince: Date | null;
  /** Failed attempts by cause, the most frequent first. */
  readonly causes: readonly FailureCause[];
  readonly waiting: number;
  /** When its longest overdue delivery was due; null when none is. */
  readonly oldestDueAt: Date | null;
  readonly inPerMinute: number;
  readonly outPerMinute: number;
  /** Dead deliveries that nobody has settled. */
  readonly dead: { readonly count: number; readonly oldestAt: Date | null };
  readonly certificates: readonly CertificateInForce[];
  /** Nothing is sent to anybody: its backlog has another cause. */
  readonly isSendingStopped: boolean;
}
