const FRESH_MS = 1_000;
/** Of one core, at most: what took a second is kept for twenty. */
const SHARE = 0.05;

/**
 * Asks for something that costs the more the larger the installation is, and keeps the answer the longer the longer it
 * took: however many look, it uses no more than a twentieth of a core. While it cannot be asked, the former answer holds.
 */
export class Sparing<T> {
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

/** Until when an answer is kept that was asked for and came at these times. */
export const keptUntil = (askedAtMs: number, cameAtMs: number): number =>
  cameAtMs + Math.max(FRESH_MS, (cameAtMs - askedAtMs) / SHARE);
