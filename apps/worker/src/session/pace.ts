import { setTimeout as delay } from 'node:timers/promises';

/** Deliveries that `maxPerSecond` allows within this time are fetched ahead; each then waits for its time. */
const LOOK_AHEAD_MS = 250;

/** Timers fire late; without this tolerance a part of the rate would be lost. */
export const TOLERANCE_MS = 20;

/**
 * `maxPerSecond` of one consumer, kept evenly: the generic cell rate algorithm (ITU-T I.371, annex A). A request counts at
 * the time of its start, so a process that was suspended does not send all waiting requests at once. Times are in
 * milliseconds of one monotonic clock.
 */
export class Pace {
  private nextAtMs: number;
  private waiting = 0;
  private lastTurn = Promise.resolve();

  /** @param nextSendInMs until the former session allowed the next request; null: at once */
  constructor(nowMs: number, nextSendInMs: number | null) {
    this.nextAtMs = nowMs + (nextSendInMs ?? 0);
  }

  /** How many more requests may wait: those allowed within the look-ahead, less those that wait already. */
  capacity(nowMs: number, maxPerSecond: number): number {
    const leftMs = nowMs + LOOK_AHEAD_MS - Math.max(nowMs, this.nextAtMs);
    return leftMs < 0 ? 0 : Math.max(0, Math.floor((leftMs * maxPerSecond) / 1_000) + 1 - this.waiting);
  }

  /** Resolves when the rate allows a request, in the order of the calls. */
  turn(maxPerSecond: number): Promise<void> {
    const before = this.lastTurn;
    this.join();
    this.lastTurn = (async () => {
      await before;
      for (;;) {
        const waitMs = this.tryStart(performance.now(), maxPerSecond);
        if (waitMs === 0) return;
        await delay(waitMs);
      }
    })();
    return this.lastTurn;
  }

  /** Adds a request that waits. */
  join(): void {
    this.waiting += 1;
  }

  /** Starts one waiting request if the rate allows it now. @returns 0, or the milliseconds until it does */
  tryStart(nowMs: number, maxPerSecond: number): number {
    if (this.nextAtMs > nowMs) return this.nextAtMs - nowMs;
    this.waiting -= 1;
    this.nextAtMs = Math.max(this.nextAtMs, nowMs - TOLERANCE_MS) + 1_000 / maxPerSecond;
    return 0;
  }

  /** Milliseconds until the rate allows the next request. */
  nextSendInMs(nowMs: number): number {
    return Math.max(0, this.nextAtMs - nowMs);
  }
}
