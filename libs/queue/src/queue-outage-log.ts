import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#libs/observability';

const LOOK_EVERY_MS = 1_000;

/** An outage is over after this long without an error; lost connections are retried within 2 s. */
const OVER_AFTER_MS = 5_000;

/**
 * Logs one line when an outage of the queue begins, with the first error, and one when it is over. An outage causes hundreds
 * of errors a second, from every connection and every call.
 */
export class QueueOutageLog {
  private readonly ending = new AbortController();
  private beganAtMs: number | null = null;
  private answersSinceMs: number | null = null;

  /** @param ask rejects while the queue does not answer */
  constructor(
    private readonly logger: Logger,
    private readonly ask: () => Promise<unknown>,
  ) {}

  /** @param fault text for an operator */
  noteFault(fault: string): void {
    this.answersSinceMs = null;
    if (this.beganAtMs !== null || this.ending.signal.aborted) return;
    this.logger.warn({ fault }, 'queue.unreachable');
    this.beganAtMs = performance.now();
    void this.waitForEnd(this.beganAtMs);
  }

  /** Stops logging: connections that this process closes are no outage. */
  stop(): void {
    this.ending.abort();
  }

  private async waitForEnd(beganAtMs: number): Promise<void> {
    const { signal } = this.ending;
    do {
      await delay(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
      const answers = await this.ask().then(
        () => true,
        () => false,
      );
      if (answers) this.answersSinceMs ??= performance.now();
      else this.answersSinceMs = null;
      if (signal.aborted) return;
    } while (this.answersSinceMs === null || performance.now() - this.answersSinceMs < OVER_AFTER_MS);
    this.beganAtMs = null;
    const lastedMs = Math.round(this.answersSinceMs - beganAtMs);
    this.logger.warn({ lastedMs }, 'queue.recovered');
  }
}
