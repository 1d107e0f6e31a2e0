/** Which limit: what producers post, everything else, unknown keys, failed sign-ins, lists that are being read. */
export type RateLimit = 'events' | 'others' | 'unknown_keys' | 'sign_ins' | 'open_lists';

/** A limit was exceeded: 429, and when to ask again. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError';
  readonly statusCode = 429;

  constructor(
    readonly limit: RateLimit,
    private readonly waitMs: number,
    message: string,
  ) {
    super(message);
  }

  /** Whole seconds, as `Retry-After` has them (RFC 9110, section 10.2.3). */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.waitMs / 1_000));
  }
}
