import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { LocalFaultError } from './exchange.js';
import type { ClientRequest, RequestObserver } from './request-creation.js';

/** The response as far as it was received. */
export interface Collected {
  /** The final status and headers; null when none was received. */
  readonly head: {
    readonly status: number;
    readonly headers: Readonly<IncomingHttpHeaders>;
    readonly receivedAtMs: number;
  } | null;
  /** The beginning of the body. */
  readonly kept: Buffer;
  /** Whether the body is complete and `kept` is all of it. */
  readonly isWhole: boolean;
  /** Why it ended early; null when it did not, or when the dispatcher ended it. */
  readonly error: Error | null;
  readonly timedOut: boolean;
  /** Whether a connection was open and the request was written. */
  readonly isSent: boolean;
  /** The address that it was written to; null when it was not written. */
  readonly remoteAddress: string | null;
}

/** Called when the request is written next, in the same turn of the event loop. An error keeps it from being written. */
export type BeforeWriting = () => Readonly<Record<string, string>>;

export interface CollectorLimits {
  readonly maxBodyBytes: number;
  readonly keptBodyBytes: number;
}

/** 1xx answers before the final one: a server may send several a second while it works. */
const MAX_INTERIM_ANSWERS = 100;

/**
 * Collects one response and settles exactly once: at its end, an error, the body's limit or the timeout, whichever comes
 * first. A connection that still sends then is destroyed.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler, RequestObserver {
  readonly #limits: CollectorLimits;
  readonly #deadlineMs: number;
  readonly #beforeWriting: BeforeWriting;
  readonly #settle: (collected: Collected) => void;
  /** Given by the client when it makes the request, before `onRequestStart`. */
  #request: ClientRequest | null = null;
  #remoteAddress: string | null = null;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Collected['head'] = null;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #bodyBytes = 0;
  #interimAnswers = 0;

  /**
   * @param deadlineMs by `performance.now()`: after it the request is not sent any more
   * @param beforeWriting returns the request's headers
   */
  constructor(
    limits: CollectorLimits,
    deadlineMs: number,
    beforeWriting: BeforeWriting,
    settle: (collected: Collected) => void,
  ) {
    this.#limits = limits;
    this.#deadlineMs = deadlineMs;
    this.#beforeWriting = beforeWriting;
    this.#settle = settle;
  }

  onCreated(request: ClientRequest): void {
    this.#request = request;
  }

  onWritten(address: string | null): void {
    this.#remoteAddress = address;
  }

  /** The timeout has passed. Without an open connection nothing is sent any more. */
  timeOut(): void {
    this.#end({ isWhole: false, error: null, timedOut: true });
    this.#hangUp();
  }

  /**
   * The client has a connection and writes the request next, in the same turn of the event loop. In a process that was
   * suspended this can run before its overdue timer, when another worker has already delivered.
   *
   * An error thrown here ends the request before its first byte, and the connection stays open for the next one.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) throw new Error('the exchange is over');
    if (performance.now() > this.#deadlineMs)
      throw new LocalFaultError('the connection came after the deadline; nothing was sent');
    if (this.#request === null) throw new Error('the HTTP client has not given its request');
    for (const [name, value] of Object.entries(this.#beforeWriting())) this.#request.addHeader(name, value);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // A 1xx answer is not the final one (RFC 9110, 15.2).
    if (status < 200) {
      this.#interimAnswers += 1;
      if (this.#interimAnswers <= MAX_INTERIM_ANSWERS) return;
      this.#end({ isWhole: false, error: null, timedOut: false });
      this.#hangUp();
      return;
    }
    this.#head = { status, headers, receivedAtMs: Date.now() };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    const left = this.#limits.keptBodyBytes - this.#keptBytes;
    if (left > 0) {
      // A copy: the chunk is a view of a much larger buffer.
      const part = Buffer.from(chunk.subarray(0, left));
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
      remoteAddress: this.#remoteAddress,
      head: this.#head,
      kept: Buffer.concat(this.#kept),
    });
  }

  #hangUp(): void {
    this.#controller?.abort(new Error('the exchange is over'));
  }
}
