/** A delivery is due from the beginning of its transaction, which commits up to 7.5 s (accept) or 20 s (operators) later. */
const LATE_COMMIT_MS = 30_000;

/** The bound is dropped this often, in case a statement wrote an earlier due time. */
const RESET_EVERY_MS = 60_000;

/**
 * A lower bound of the due times of a consumer's pending deliveries. PostgreSQL keeps deleted rows in its index until a
 * vacuum, and without this bound each fetch would read the entries of every delivered row of a large backlog. Due times are
 * PostgreSQL's; the other times are `performance.now()`.
 */
export class DueFrom {
  private boundMs = Number.NEGATIVE_INFINITY;
  private latestMs = Number.NEGATIVE_INFINITY;
  private resetAtMs: number;

  constructor(nowMs: number) {
    this.resetAtMs = nowMs;
  }

  /**
   * @param fetched due times of a fetch's deliveries, the earliest first
   * @param excluded due times of the deliveries that the fetch had to exclude: in flight, or set aside
   */
  note(fetched: readonly Date[], excluded: readonly Date[]): void {
    const [first] = fetched;
    if (first === undefined) return;
    this.latestMs = Math.max(this.latestMs, ...fetched.map((at) => at.getTime()));
    this.boundMs = Math.min(
      first.getTime(),
      this.latestMs - LATE_COMMIT_MS,
      ...excluded.map((at) => at.getTime()),
    );
  }

  /** @returns the bound for the next fetch; null: there is none */
  next(nowMs: number): Date | null {
    if (nowMs - this.resetAtMs >= RESET_EVERY_MS) {
      this.resetAtMs = nowMs;
      this.reset();
    }
    return this.boundMs === Number.NEGATIVE_INFINITY ? null : new Date(this.boundMs);
  }

  reset(): void {
    this.boundMs = Number.NEGATIVE_INFINITY;
  }
}
