import type { EndFacts } from '#libs/database';

/** Without a decision for this long the session ends, and a timer looks for work again. */
const DECIDED_WITHIN_MS = 2_000;

/**
 * A session that was left because it has no work. From then on accept adds a job for each event of the consumer. An
 * accept that read *open* before may still commit. A fetch after the session was left gets a transaction id, the mark:
 * those accepts have lower ids. The session ends when a later fetch finds that all of these have ended and nothing is due. Times are `performance.now()`.
 */
export class Leaving {
  /** Every transaction before this one has to end; null: the next fetch gets it. */
  private mark: bigint | null = null;
  private decision: { readonly wakeInMs: number | null } | null = null;

  /** @param sinceMs when PostgreSQL had committed that the session was left */
  constructor(private readonly sinceMs: number) {}

  /** When the consumer has work next, if the session may end; null: not decided. */
  get decided(): { readonly wakeInMs: number | null } | null {
    return this.decision;
  }

  /** Whether the next fetch has to return the mark. */
  get needsMark(): boolean {
    return this.mark === null;
  }

  /** Notes the answer of a fetch that began after the session was left. @returns false: something is due, it goes on */
  note({ wakeInMs, oldestRunning, mark }: EndFacts, nowMs: number): boolean {
    if (wakeInMs !== null && wakeInMs <= 0) return false;
    this.mark ??= mark;
    if (this.mark !== null && oldestRunning >= this.mark) this.decision = { wakeInMs };
    else if (nowMs - this.sinceMs > DECIDED_WITHIN_MS)
      // One transaction lasts long. What it may commit for this consumer is found by the timer.
      this.decision = { wakeInMs: Math.min(wakeInMs ?? DECIDED_WITHIN_MS, DECIDED_WITHIN_MS) };
    return true;
  }
}
