import { isUnavailable, isTransient, DatabaseUnavailableError } from './faults.js';

const TRANSIENT_TRIES = 3;
/** 200 events of ordinary size have 0.3 MB. Parameters of a statement are copied several times. */
const MAX_BYTES = 2 * 1024 * 1024;

interface MicroBatchOptions<I> {
  readonly maxItems?: number;
  /** An item's size in bytes; a call has at most `MAX_BYTES`, or one item. */
  readonly bytesOf?: (item: I) => number;
  /** How long items that may wait do so, and how many of them start a call. */
  readonly gather?: { readonly forMs: number; readonly items: number };
}

/**
 * Combines concurrent items into one call of `run`, of limited number and size. An item starts a call at once when none is running; otherwise it
 * goes into the next call, together with all that arrived in the meantime. Items that may wait start a call only when
 * several have gathered, or after a time. Items keep their order and calls do not overlap, so that an item that was
 * added first is committed first.
 *
 * `run` is all or nothing: it returns one result for each item in order, or throws and has changed nothing. A batch that
 * fails for another reason than an unreachable PostgreSQL or a conflict is halved until what fails is alone.
 */
export class MicroBatch<I, O> {
  private waiting: { item: I; resolve: (value: O) => void; reject: (reason: unknown) => void }[] = [];
  private running = false;
  private readonly limits: Required<MicroBatchOptions<I>>;
  /** Until the items that may wait start a call. */
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: (items: readonly I[]) => Promise<readonly O[]>,
    { maxItems = 200, bytesOf = () => 0, gather = { forMs: 0, items: 1 } }: MicroBatchOptions<I> = {},
  ) {
    this.limits = { maxItems, bytesOf, gather };
  }

  /** @throws DatabaseUnavailableError when nothing was changed because PostgreSQL is unreachable; otherwise what `run` threw */
  add(item: I, { mayWait = false } = {}): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.running) return;
      if (!mayWait || this.waiting.length >= this.limits.gather.items) this.start();
      else this.gathering ??= setTimeout(() => this.start(), this.limits.gather.forMs);
    });
  }

  private start(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    this.running = true;
    // A turn of the event loop lets requests that arrived in the same read of the socket join.
    setImmediate(() => void this.drain());
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.nextCount());
      const results = await this.settle(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result === undefined) entry.reject(new Error('a batch answered fewer results than it had items'));
        else if ('fault' in result) entry.reject(result.fault);
        else entry.resolve(result.value);
      });
      const [first] = results;
      if (first !== undefined && 'fault' in first && first.fault instanceof DatabaseUnavailableError) {
        // The items that wait would only reach the same timeout later.
        for (const { reject } of this.waiting.splice(0)) reject(first.fault);
      }
    }
    this.running = false;
  }

  /** The number of items in the next call. */
  private nextCount(): number {
    let bytes = 0;
    for (const [count, { item }] of this.waiting.entries()) {
      bytes += this.limits.bytesOf(item);
      if (count === this.limits.maxItems || (bytes > MAX_BYTES && count > 0)) return count;
    }
    return this.waiting.length;
  }

  private async settle(items: readonly I[]): Promise<({ value: O } | { fault: unknown })[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await this.run(items)).map((value) => ({ value }));
      } catch (error) {
        if (isTransient(error) && tries < TRANSIENT_TRIES) continue;
        // Also when the cause is this product's own: a violated constraint, a missing partition, a broken index.
        if (!isUnavailable(error) && !isTransient(error) && items.length > 1) {
          const middle = Math.ceil(items.length / 2);
          return [
            ...(await this.settle(items.slice(0, middle))),
            ...(await this.settle(items.slice(middle))),
          ];
        }
        const fault = isUnavailable(error)
          ? new DatabaseUnavailableError('PostgreSQL is unreachable', { cause: error })
          : error;
        return items.map(() => ({ fault }));
      }
    }
  }
}
