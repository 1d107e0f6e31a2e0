import type { components } from './openapi.js';
import { RefusedError, UnavailableError, type Refusal } from './errors.js';

/** A status change: `ach.status` or `wire.status`. */
export type StatusChange = components['schemas']['StatusChangeDto'];

/** The answer to an accepted event: it is committed. */
export interface Accepted {
  /** The event's id; consumers receive it in the notification. */
  readonly notificationId: string;
  /** The same event was accepted before under this key, by an earlier call or an earlier try of this one. */
  readonly duplicate: boolean;
}

/** An event that waits for its answer. Only its first result counts. */
export class PendingEvent {
  readonly result: Promise<Accepted>;
  /** The item of the batch, as JSON text: it stays the same in every try, even if the caller changes the object. */
  readonly text: string;
  /** The length of the text in UTF-8. */
  readonly bytes: number;
  isSettled = false;
  private resolve: (accepted: Accepted) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  /** @throws TypeError when the event cannot be written as JSON */
  constructor(
    readonly change: StatusChange,
    readonly idempotencyKey: string,
    /** When the caller posted it, in ms since 1970. */
    readonly postedAtMs: number,
  ) {
    this.text = JSON.stringify({ ...change, idempotencyKey });
    this.bytes = new TextEncoder().encode(this.text).length;
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  accept(accepted: Accepted): void {
    this.isSettled = true;
    this.resolve(accepted);
  }

  refuse(refusal: Refusal): void {
    this.isSettled = true;
    this.reject(new RefusedError(refusal, this.idempotencyKey));
  }

  giveUp(message: string, cause: unknown): void {
    this.isSettled = true;
    this.reject(new UnavailableError(message, this.idempotencyKey, { cause }));
  }
}
