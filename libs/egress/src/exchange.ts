import type { CertificateFacts, Outcome } from '#libs/contracts';
import type { ConsumerTls } from './consumer-tls.js';

/** One POST to a consumer. */
export interface EgressRequest {
  /** In canonical form (see `canonicalConsumerUrl`): the very string that is signed is requested. */
  readonly url: string;
  /**
   * Called once, before a connection is looked for. A timestamp in a header is therefore as old as the connection takes
   * to open, `timeoutMs` at most: what could not be written until then is not written any more.
   * `host`, `content-length` and `connection` are the door's own.
   *
   * @param sentAtMs Unix time in milliseconds; the exchange's `sentAt`.
   */
  readonly buildHeaders: (sentAtMs: number) => Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** For the whole exchange: name lookup, connect, TLS, headers and body. */
  readonly timeoutMs: number;
  /** The consumer's own certificates; absent: the public authorities, no client certificate. */
  readonly tls?: ConsumerTls | undefined;
}

/** What one POST came to. Bounded in every field, and fit for PostgreSQL: well-formed Unicode without NUL. */
export interface Exchange {
  readonly outcome: Outcome;
  /** Null when no final status line came. */
  readonly httpStatus: number | null;
  /** In plain words for on-call staff; no secret, nothing that the consumer wrote. */
  readonly detail: string;
  readonly sentAt: Date;
  /** Whole milliseconds, by a clock that does not jump. */
  readonly durationMs: number;
  /** As given by `buildHeaders`, secrets included: redact before keeping. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Names in lower case, repeated ones joined with a comma; 16 KiB at most. Null without a final status. */
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** The beginning, as UTF-8 with U+FFFD for what is none. Null without a body, or when it is compressed. */
  readonly responseBody: string | null;
  /** Whether the consumer sent, or had announced, more than `responseBody` shows. */
  readonly responseTruncated: boolean;
  /** `Retry-After` from the answer's arrival on, at most 24 h; null when absent or malformed. */
  readonly retryAfterMs: number | null;
  /** The consumer's `Date` minus our clock, when they are more than a minute apart. */
  readonly clockSkewMs: number | null;
  /** The certificate of the server's last handshake that was done; null without TLS, or before the first. */
  readonly serverCertificate: CertificateFacts | null;
}

/** The only door to the outside. */
export interface Egress {
  /**
   * Sends one POST. Whatever the consumer or the network does is returned, never thrown.
   *
   * @throws TypeError or RangeError for a request that should not have been made (URL, headers, timeout);
   *   {@link LocalFaultError} when this process cannot send (closed, out of sockets), or comes to it after the deadline
   *   since it was suspended: none is the consumer's failure.
   */
  post(request: EgressRequest): Promise<Exchange>;
  /**
   * Takes no more requests, waits for those under way (their timeouts bound it, or `withinMs`) and drops all
   * connections. Who is cut off hears a {@link LocalFaultError}.
   */
  close(options?: { readonly withinMs?: number }): Promise<void>;
}

/** Our own inability to send: not an outcome, and no attempt spent. */
export class LocalFaultError extends Error {
  override readonly name = 'LocalFaultError';
}
