/** Kinds of limits: posted events, all other requests, unknown keys, failed sign-ins, open streamed answers, the portal, bodies. */
export type RateLimit =
  | 'events'
  | 'others'
  | 'unknown_keys'
  | 'sign_ins'
  | 'open_lists'
  | 'portal'
  | 'bodies';

/** Raised when a limit is exceeded: 429 with `Retry-After`, or 503 when the caller is not the cause. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError';
  constructor(
    readonly limit: RateLimit,
    private readonly waitMs: number,
    message: string,
    readonly statusCode: 429 | 503 = 429,
  ) {
    super(message);
  }

  /** Value of `Retry-After`, in whole seconds (RFC 9110, section 10.2.3). */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.waitMs / 1_000));
  }
}
