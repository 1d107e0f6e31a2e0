import { within } from '#libs/contracts';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What is done with the ids. */
export interface AddsTo {
  /** @throws when they were not added */
  add(ids: readonly string[]): Promise<void>;
  /** Called with what was not added, and why. */
  leave(ids: readonly string[], fault: unknown): void;
}

/**
 * Gathers ids while a call is under way, each once, and adds them with the next: one call at a time. An id that is
 * given while it is being added is added again, since its work was committed only now.
 */
export class CoalescedAdds {
  private waiting = new Set<string>();
  private underWay: Promise<void> | null = null;

  constructor(private readonly to: AddsTo) {}

  /** Returns at once, and throws nothing. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.waiting.add(id);
    if (this.waiting.size > 0) this.underWay ??= this.addAll();
  }

  /** Resolves when everything was added or left, or so many milliseconds have passed. */
  async settled(withinMs: number): Promise<void> {
    if (this.underWay !== null) await within(withinMs, this.underWay);
  }

  private async addAll(): Promise<void> {
    // What the same turn of the event loop brings goes along: requests are answered in batches.
    await nextTurn();
    while (this.waiting.size > 0) {
      const ids = [...this.waiting];
      this.waiting = new Set();
      try {
        await this.to.add(ids);
      } catch (error) {
        this.to.leave(ids, error);
      }
    }
    this.underWay = null;
  }
}
