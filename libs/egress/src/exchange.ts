import type { CertificateFacts, Outcome } from '#libs/contracts';
import type { ConsumerTls } from './consumer-tls.js';

/** One POST to a consumer. */
export interface EgressRequest {
  /** In canonical form (see `canonicalConsumerUrl`): the very string that is signed is requested. */
  readonly url: string;
  /**
   * Called at most once, when a connection is open (name lookup, connect and TLS are over) and the request is written
   * next, in the same turn of the event loop. Until it is called nothing was sent, and nothing is when it throws: `post`
   * then throws the same error. From its return on the request may have left, whatever `post` ends with. `host`,
   * `content-length` and `connection` are set by the egress.
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

/** The result of one POST. Every field is bounded and valid for PostgreSQL: well-formed Unicode without NUL. */
export interface Exchange {
  readonly outcome: Outcome;
  /** Null when no final status line came. */
  readonly httpStatus: number | null;
  /** In plain words for on-call staff, without secrets and without text of the consumer. */
  readonly detail: string;
  /** When the request went on the wire; without a connection, when `post` was called. */
  readonly sentAt: Date;
  /**
   * Of the whole exchange, from the call of `post` (and so before `sentAt`) to its end, in whole milliseconds by a
   * monotonic clock.
   */
  readonly durationMs: number;
  /** The address that the request was written to, with `EGRESS_PROXY` the proxy's; null when nothing was sent. */
  readonly remoteAddress: string | null;
  /** As returned by `buildHeaders`, with secrets: redact them before keeping. Empty when nothing was sent. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Names in lower case, repeated ones joined with a comma; 16 KiB at most. Null without a final status. */
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** The beginning as UTF-8, with U+FFFD for invalid bytes. Null without a body, or when it is compressed. */
  readonly responseBody: string | null;
  /** Whether the consumer sent or announced more than `responseBody` shows. */
  readonly responseTruncated: boolean;
  /** `Retry-After`, counted from the answer's arrival, at most 24 h; null when absent or malformed. */
  readonly retryAfterMs: number | null;
  /** The consumer's `Date` minus our clock, when they are more than a minute apart. */
  readonly clockSkewMs: number | null;
  /** From the server's last completed handshake; null without TLS, or before the first. */
  readonly serverCertificate: CertificateFacts | null;
}

/** The only way to send requests to consumers. */
export interface Egress {
  /**
   * Sends one POST. Failures of the consumer or the network are returned, never thrown.
   *
   * @throws TypeError or RangeError for an invalid request (URL, headers, timeout); {@link LocalFaultError} when this
   *   process cannot send (closed, out of sockets), or was suspended past the deadline; what `buildHeaders` throws. None
   *   is the consumer's failure.
   */
  post(request: EgressRequest): Promise<Exchange>;
  /**
   * Refuses new requests, waits for those in flight (for their timeouts, or `withinMs`) and drops all connections.
   * Interrupted requests throw a {@link LocalFaultError}.
   */
  close(options?: { readonly withinMs?: number }): Promise<void>;
}

/** This process could not send: not an outcome, and no attempt is counted. */
export class LocalFaultError extends Error {
  override readonly name = 'LocalFaultError';
}
