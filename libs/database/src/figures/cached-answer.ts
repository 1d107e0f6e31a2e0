const FRESH_MS = 1_000;
/** Maximum share of one core for a query: the answer of a query of one second is cached for 20 seconds. */
const SHARE = 0.05;

/**
 * The cached answer of a query whose cost grows with the installation. An answer is cached for 20 times the duration
 * of the query, so that any number of readers uses at most a twentieth of a core. While the query fails, the former
 * answer is returned.
 */
export class CachedAnswer<T> {
  private latest: { readonly answer: Promise<T>; until: number } | undefined;
  private former: { readonly found: T } | undefined;

  constructor(
    private readonly ask: () => Promise<T>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  get(): Promise<T> {
    const startedAt = this.clock();
    if (this.latest !== undefined && startedAt < this.latest.until) return this.latest.answer;
    const latest = { answer: this.answer(startedAt), until: Number.POSITIVE_INFINITY };
    this.latest = latest;
    return latest.answer;
  }

  private async answer(startedAt: number): Promise<T> {
    const { former } = this;
    try {
      const found = await this.ask();
      this.former = { found };
      return found;
    } catch (error) {
      if (former !== undefined) return former.found;
      this.latest = undefined;
      throw error;
    } finally {
      if (this.latest !== undefined) this.latest.until = keptUntil(startedAt, this.clock());
    }
  }
}

/** Time until which an answer is cached, from the start and the end of its query. All times are in milliseconds. */
export const keptUntil = (askedAtMs: number, cameAtMs: number): number =>
  cameAtMs + Math.max(FRESH_MS, (cameAtMs - askedAtMs) / SHARE);
