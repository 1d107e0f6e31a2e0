/**
 * A transaction writes its beginning as the time when a delivery is due, and commits later: accept after 7.5 s at the most,
 * an operator's command after 20 s.
 */
const LATE_COMMIT_MS = 30_000;

/** Everything is then looked at again, in case something wrote an earlier time. */
const LOOK_AT_ALL_EVERY_MS = 60_000;

/**
 * From when on a consumer's deliveries can be due: everything due before is delivered. PostgreSQL keeps what was deleted in
 * its index until it is vacuumed, and a fetch without this bound would pass all that was delivered of a large backlog.
 * Due times are PostgreSQL's, others `performance.now()`.
 */
export class DueFrom {
  private boundMs = Number.NEGATIVE_INFINITY;
  private latestMs = Number.NEGATIVE_INFINITY;
  private lookedAtAllMs: number;

  constructor(nowMs: number) {
    this.lookedAtAllMs = nowMs;
  }

  /**
   * A fetch has brought these, the longest due first and none left out.
   * @param open when those were due that it has left out: in flight, or set aside
   */
  note(fetched: readonly Date[], open: readonly Date[]): void {
    const [first] = fetched;
    if (first === undefined) return;
    this.latestMs = Math.max(this.latestMs, ...fetched.map((at) => at.getTime()));
    this.boundMs = Math.min(
      first.getTime(),
      this.latestMs - LATE_COMMIT_MS,
      ...open.map((at) => at.getTime()),
    );
  }

  /** For the next fetch; null: everything is to be looked at. */
  next(nowMs: number): Date | null {
    if (nowMs - this.lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS) {
      this.lookedAtAllMs = nowMs;
      this.lookAtAll();
    }
    return this.boundMs === Number.NEGATIVE_INFINITY ? null : new Date(this.boundMs);
  }

  lookAtAll(): void {
    this.boundMs = Number.NEGATIVE_INFINITY;
  }
}
