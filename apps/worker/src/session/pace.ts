/** How far ahead deliveries are fetched that `maxPerSecond` allows a little later; each then waits for its moment. */
const HORIZON_MS = 250;

/** Timers come late; without room for it a part of the rate would be lost. */
const TOLERANCE_MS = 20;

/**
 * `maxPerSecond` of one consumer, kept evenly: the generic cell rate algorithm (ITU-T I.371, annex A). A request counts when it
 * goes and not when it was planned, so that a process that was held up does not send all at once what has waited meanwhile.
 */
export class Pace {
  private nextAtMs: number;
  private waiting = 0;

  /** @param nextSendInMs when the former session allowed the next request; null: at once */
  constructor(nowMs: number, nextSendInMs: number | null) {
    this.nextAtMs = nowMs + (nextSendInMs ?? 0);
  }

  /** How many more requests it allows from now to the horizon, besides those that wait. */
  room(nowMs: number, maxPerSecond: number): number {
    const leftMs = nowMs + HORIZON_MS - Math.max(nowMs, this.nextAtMs);
    return leftMs < 0 ? 0 : Math.max(0, Math.floor((leftMs * maxPerSecond) / 1_000) + 1 - this.waiting);
  }

  /** One more waits for its moment. */
  join(): void {
    this.waiting += 1;
  }

  /** Lets one of those that wait go, if it is time. @returns milliseconds until then; 0: it goes */
  take(nowMs: number, maxPerSecond: number): number {
    if (this.nextAtMs > nowMs) return this.nextAtMs - nowMs;
    this.waiting -= 1;
    this.nextAtMs = Math.max(this.nextAtMs, nowMs - TOLERANCE_MS) + 1_000 / maxPerSecond;
    return 0;
  }

  /** Until it allows the next request. */
  nextSendInMs(nowMs: number): number {
    return Math.max(0, this.nextAtMs - nowMs);
  }
}
