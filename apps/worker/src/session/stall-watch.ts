import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

const TICK_MS = 250;
/** A tick that comes so much later was kept from coming: the process was suspended, or its machine was. */
const STALL_MS = 1_000;

/**
 * Notices that the process stood still. That no answer came meanwhile says nothing of the consumer: it may lie in the
 * socket, unread, or the consumer has given up waiting for us. The ticks are due before any timeout, so that they also come before it after a stall.
 */
@Injectable()
export class StallWatch implements OnApplicationShutdown {
  private lastTickAt = performance.now();
  private lastStallAt = Number.NEGATIVE_INFINITY;
  private readonly ticking = setInterval(() => this.tick(), TICK_MS).unref();

  /** Whether the process has stood still since then, a moment of `performance.now()`. */
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
