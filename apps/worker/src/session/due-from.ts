/** A delivery is due from the beginning of its transaction, which commits up to 7.5 s (accept) or 20 s (operators) later. */
const LATE_COMMIT_MS = 30_000;

/** Most commit within this time. The others are looked for once in `LATE_LOOK_EVERY_MS`. */
const USUAL_COMMIT_MS = 500;
const LATE_LOOK_EVERY_MS = 1_000;

/** The bound is dropped this often, in case a statement wrote an earlier due time. */
const RESET_EVERY_MS = 60_000;

/**
 * A lower bound of the due times of a consumer's pending deliveries. PostgreSQL keeps deleted rows in its index until a
 * vacuum, and without this bound each fetch would read the entries of every row that was delivered since. Due times are
 * PostgreSQL's; the other times are `performance.now()`.
 */
export class DueFrom {
  /** The earliest of the last fetch, and of those in flight meanwhile. */
  private earliestMs = Number.NEGATIVE_INFINITY;
  private latestMs = Number.NEGATIVE_INFINITY;
  private resetAtMs: number;
  private lookedForLateAtMs: number;

  constructor(nowMs: number) {
    this.resetAtMs = nowMs;
    this.lookedForLateAtMs = nowMs;
  }

  /**
   * @param fetched due times of a fetch's deliveries, the earliest first
   * @param excluded due times of the deliveries that the fetch had to exclude: in flight, or set aside
   */
  note(fetched: readonly Date[], excluded: readonly Date[]): void {
    const [first] = fetched;
    if (first === undefined) return;
    this.latestMs = Math.max(this.latestMs, ...fetched.map((at) => at.getTime()));
    this.earliestMs = Math.min(first.getTime(), ...excluded.map((at) => at.getTime()));
  }

  /** @returns the bound for the next fetch; null: there is none */
  next(nowMs: number): Date | null {
    if (nowMs - this.resetAtMs >= RESET_EVERY_MS) {
      this.resetAtMs = nowMs;
      this.reset();
    }
    const looksForLate = nowMs - this.lookedForLateAtMs >= LATE_LOOK_EVERY_MS;
    if (looksForLate) this.lookedForLateAtMs = nowMs;
    const commitMs = looksForLate ? LATE_COMMIT_MS : USUAL_COMMIT_MS;
    const boundMs = Math.min(this.earliestMs, this.latestMs - commitMs);
    return boundMs === Number.NEGATIVE_INFINITY ? null : new Date(boundMs);
  }

  reset(): void {
    this.earliestMs = Number.NEGATIVE_INFINITY;
  }
}
