import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

const TICK_MS = 250;
/** A tick that is this late shows that the process or its machine was suspended. */
const STALL_MS = 1_000;

/**
 * Detects that the process was suspended. A missing answer then does not mean that the consumer failed: it may be unread in
 * the socket, or the consumer may have closed the connection. A tick is due before any request's timeout, so after a
 * suspension it also runs first.
 */
@Injectable()
export class StallWatch implements OnApplicationShutdown {
  private lastTickAt = performance.now();
  private lastStallAt = Number.NEGATIVE_INFINITY;
  private readonly ticking = setInterval(() => this.tick(), TICK_MS).unref();

  /** Whether the process was suspended since a time of `performance.now()`. */
  stalledSince(sinceMs: number): boolean {
    this.tick();
    return this.lastStallAt >= sinceMs;
  }

  onApplicationShutdown(): void {
    clearInterval(this.ticking);
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.lastTickAt > TICK_MS + STALL_MS) this.lastStallAt = now;
    this.lastTickAt = now;
  }
}
