import type { EndFacts } from '#libs/database';

/** Without a decision for this long the session ends, and a timer looks for work again. */
const DECIDED_WITHIN_MS = 2_000;

/**
 * A session that was left because it has no work. From then on accept adds a job for each event of the consumer. An
 * accept that read *open* before may still commit, so the session ends only when a fetch has found nothing due after
 * all transactions that were running then have ended. Times are `performance.now()`.
 */
export class Leaving {
  /** Every transaction before this one has to end; null: not known yet. */
  private horizon: bigint | null = null;
  private decision: { readonly wakeInMs: number | null } | null = null;

  /** @param sinceMs when PostgreSQL had committed that the session was left */
  constructor(private readonly sinceMs: number) {}

  /** When the consumer has work next, if the session may end; null: not decided. */
  get decided(): { readonly wakeInMs: number | null } | null {
    return this.decision;
  }

  /** Notes the answer of a fetch that began after the session was left. @returns false: something is due, it goes on */
  note({ wakeInMs, oldestRunning, nextStarted }: EndFacts, nowMs: number): boolean {
    if (wakeInMs !== null && wakeInMs <= 0) return false;
    this.horizon ??= nextStarted;
    if (oldestRunning >= this.horizon) this.decision = { wakeInMs };
    else if (nowMs - this.sinceMs > DECIDED_WITHIN_MS)
      // One transaction lasts long. What it may commit for this consumer is found by the timer.
      this.decision = { wakeInMs: Math.min(wakeInMs ?? DECIDED_WITHIN_MS, DECIDED_WITHIN_MS) };
    return true;
  }
}
