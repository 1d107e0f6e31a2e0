import type { components } from './openapi.js';

/** A field and the rule that it breaks. */
export type FieldFault = components['schemas']['FieldFaultDto'];

/**
 * What a refusal is about. `event`: this event breaks a rule; correct it. `request`: the API key, the address or a proxy
 * is wrong, and the dispatcher has not examined the event; correct the configuration and post the event again.
 */
export type RefusalScope = 'event' | 'request';

/** The contents of a `RefusedError`. */
export interface Refusal {
  readonly scope: RefusalScope;
  /** The HTTP status of the answer; 202 when the request was accepted and this event of it was rejected. */
  readonly status: number;
  readonly detail: string;
  /** Every invalid field and its rule; empty when the refusal is about something else. */
  readonly errors: readonly FieldFault[];
  /** Finds the request in the dispatcher's logs; null when the answer names none. */
  readonly requestId: string | null;
}

/** The event was refused. The same request would be refused again. */
export class RefusedError extends Error implements Refusal {
  override readonly name = 'RefusedError';
  readonly scope: RefusalScope;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly FieldFault[];
  readonly requestId: string | null;

  constructor(
    { scope, status, detail, errors, requestId }: Refusal,
    /** The key under which the event was posted. A refused event does not use up its key. */
    readonly idempotencyKey: string,
  ) {
    super([detail, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n'));
    this.scope = scope;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
  }
}

/**
 * No answer decided about the event before the deadline: it may be accepted or not. Post the same event with this key
 * again, within 7 days: an event that was accepted is recognised.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';

  constructor(
    message: string,
    /** The key under which the event was posted. */
    readonly idempotencyKey: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}
