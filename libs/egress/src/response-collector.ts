import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { LocalFaultError } from './exchange.js';

/** What came back, as far as it came. */
export interface Collected {
  /** The final status and headers; null when none came. */
  readonly head: {
    readonly status: number;
    readonly headers: Readonly<IncomingHttpHeaders>;
    readonly receivedAtMs: number;
  } | null;
  /** The beginning of the body. */
  readonly kept: Buffer;
  /** Whether the body ended of itself, and `kept` is all of it. */
  readonly isWhole: boolean;
  /** Why it ended early; null when it did not, or when we ended it. */
  readonly error: Error | null;
  readonly timedOut: boolean;
  /** Whether a connection was there, and the request on its way. */
  readonly isSent: boolean;
}

export interface CollectorLimits {
  readonly maxBodyBytes: number;
  readonly keptBodyBytes: number;
}

/** 1xx answers before the real one: whoever works for long may say so several times a second. */
const MOST_ANNOUNCEMENTS = 100;

/**
 * Gathers one response and settles exactly once: at its end, at an error, at the body's limit or when time is up,
 * whichever comes first. A connection that is still talking then is destroyed.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #limits: CollectorLimits;
  readonly #deadlineMs: number;
  readonly #settle: (collected: Collected) => void;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Collected['head'] = null;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #bodyBytes = 0;
  #announcements = 0;

  /** @param deadlineMs by `performance.now()`: a request that could not begin until then is not sent at all */
  constructor(limits: CollectorLimits, deadlineMs: number, settle: (collected: Collected) => void) {
    this.#limits = limits;
    this.#deadlineMs = deadlineMs;
    this.#settle = settle;
  }

  /** Time is up. Before a connection is there, nothing will be sent any more. */
  timeOut(): void {
    this.#end({ isWhole: false, error: null, timedOut: true });
    this.#hangUp();
  }

  /**
   * The client has a connection and would now write the request, in the same turn of the event loop. A process that was
   * suspended while the connection opened may come here before its overdue timer does, when another worker has long
   * delivered.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) this.#hangUp();
    else if (performance.now() > this.#deadlineMs) {
      controller.abort(new LocalFaultError('the connection came after the deadline; nothing was sent'));
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx announces an answer and is none (RFC 9110, 15.2).
    if (status < 200) {
      this.#announcements += 1;
      if (this.#announcements <= MOST_ANNOUNCEMENTS) return;
      this.#end({ isWhole: false, error: null, timedOut: false });
      this.#hangUp();
      return;
    }
    this.#head = { status, headers, receivedAtMs: Date.now() };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    const room = this.#limits.keptBodyBytes - this.#keptBytes;
    if (room > 0) {
      // A copy: the chunk is a window on a buffer many times its size.
      const part = Buffer.from(chunk.subarray(0, room));
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    if (this.#bodyBytes > this.#limits.maxBodyBytes) {
      this.#end({ isWhole: false, error: null, timedOut: false });
      this.#hangUp();
    }
  }

  onResponseEnd(): void {
    this.#end({ isWhole: this.#bodyBytes === this.#keptBytes, error: null, timedOut: false });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end({ isWhole: false, error, timedOut: false });
  }

  #end(how: Pick<Collected, 'isWhole' | 'error' | 'timedOut'>): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle({
      ...how,
      isSent: this.#controller !== null,
      head: this.#head,
      kept: Buffer.concat(this.#kept),
    });
  }

  #hangUp(): void {
    this.#controller?.abort(new Error('the exchange is over'));
  }
}
