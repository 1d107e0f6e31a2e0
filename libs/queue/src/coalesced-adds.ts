import { within } from '#libs/contracts';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The destination of the ids. */
export interface AddsTo {
  /** @throws when they were not added */
  add(ids: readonly string[]): Promise<void>;
  /** Receives the ids that were not added, with the error. */
  leave(ids: readonly string[], fault: unknown): void;
}

/**
 * Adds ids, one call at a time. Ids that arrive during a call are collected, each once, for the next call. An id that
 * arrives while it is being added is added again, since its work was committed only now.
 */
export class CoalescedAdds {
  private waiting = new Set<string>();
  private underWay: Promise<void> | null = null;

  constructor(private readonly to: AddsTo) {}

  /** Returns at once and never throws. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.waiting.add(id);
    if (this.waiting.size > 0) this.underWay ??= this.addAll();
  }

  /** Resolves when every id has been added or left, or after `withinMs`. */
  async settled(withinMs: number): Promise<void> {
    if (this.underWay !== null) await within(withinMs, this.underWay);
  }

  private async addAll(): Promise<void> {
    // Ids of the same turn of the event loop share a call: requests are answered in batches.
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
