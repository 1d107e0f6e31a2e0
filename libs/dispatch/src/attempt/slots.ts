/** The process stops, and whoever waited for a slot is not served any more. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError';
  constructor() {
    super('the process stops; another worker takes it');
  }
}

/** So many at once, the others in the order in which they came. */
export class Slots {
  inUse = 0;
  private readonly waiting: { readonly go: () => void; readonly stop: () => void }[] = [];
  private isStopping = false;

  constructor(private readonly size: number) {}

  /** Resolves when there is a slot, which `release` gives back. @throws StoppingError after `stop` */
  acquire(): Promise<void> {
    if (this.isStopping) return Promise.reject(new StoppingError());
    if (this.inUse < this.size) {
      this.inUse += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) =>
      this.waiting.push({ go: resolve, stop: () => reject(new StoppingError()) }),
    );
  }

  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.inUse -= 1;
    else next.go();
  }

  /** Gives no more slots, also to those that wait. */
  stop(): void {
    this.isStopping = true;
    for (const { stop } of this.waiting.splice(0)) stop();
  }
}
