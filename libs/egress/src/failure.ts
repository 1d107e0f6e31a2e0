import { isIPv6 } from 'node:net';
import type { Outcome } from '#libs/contracts';
import { errors as undiciErrors } from 'undici';
import { LocalFaultError } from './exchange.js';
import { plainWords } from './plain-words.js';

/** How an exchange ended without a final status. */
export interface Failure {
  readonly outcome: Exclude<Outcome, 'acknowledged' | 'http_status' | 'redirect'>;
  readonly detail: string;
}

/** A {@link Failure} for sockets and callbacks, which pass errors only. */
export class FailureError extends Error {
  override readonly name = 'FailureError';

  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

/** This process lacks a resource or is closed: not the consumer's failure. */
const LOCAL_CODES: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** The HTTP client rejects the request: an internal error. */
const REQUEST_CODES: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/** The connection broke while reading or writing. */
const RESET_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOTCONN']);

/** The error of a failed name lookup for the socket: a {@link FailureError}, or an internal error. */
export function lookupError(error: Error): Error {
  if (error instanceof FailureError) return error;
  return (
    internalError(error) ??
    new FailureError({ outcome: 'dns', detail: plainWords(codeOf(error), 'name lookup failed') })
  );
}

/**
 * The error when TCP, or the TLS handshake of https, fails: a {@link FailureError}, or an internal error.
 */
export function connectError(error: Error, protocol: string): Error {
  if (error instanceof FailureError) return error;
  const decisive = decisiveError(error);
  return internalError(decisive) ?? new FailureError(connectFailure(decisive, protocol));
}

function connectFailure(error: Error, protocol: string): Failure {
  const code = codeOf(error);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { outcome: 'timeout', detail: 'no connection in time' };
  }
  if (isWithoutIpv6(error)) return { outcome: 'connect', detail: 'this machine has no IPv6' };
  // An error after `connect` is one of the handshake; it has no `syscall: connect`.
  if (protocol === 'https:' && !isTcpConnectError(error)) {
    return { outcome: 'tls', detail: plainWords(code, 'TLS handshake failed') };
  }
  return { outcome: 'connect', detail: plainWords(code, 'connection failed') };
}

/**
 * Why an exchange ended before a final status.
 *
 * @throws LocalFaultError, or TypeError when the HTTP client rejected the request: internal errors
 */
export function exchangeFailure(error: Error): Failure {
  if (error instanceof FailureError) return error.failure;
  const fault = internalError(error);
  if (fault !== null) throw fault;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { outcome: 'invalid_response', detail: 'response headers are larger than 16 KiB' };
  }
  // By class, since the parser's errors often have no code.
  if (error instanceof undiciErrors.HTTPParserError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { outcome: 'invalid_response', detail: 'the answer is not HTTP/1.1' };
  }
  // Only the message shows that the peer violated the protocol and did not close the connection.
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) {
    return { outcome: 'invalid_response', detail: 'the answer was not requested, or its status is 101' };
  }
  // With TLS 1.3 a server refuses a client's certificate after the handshake.
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return { outcome: 'tls', detail: plainWords(code, 'TLS failed') };
  }
  if (code === 'ETIMEDOUT')
    return { outcome: 'timeout', detail: 'no data within the timeout of the connection' };
  return {
    outcome: 'reset',
    detail: RESET_CODES.has(code) ? 'connection reset' : 'connection closed before an answer',
  };
}

function internalError(error: Error): Error | null {
  if (error instanceof LocalFaultError) return error;
  const code = codeOf(error);
  if (LOCAL_CODES.has(code) && !isWithoutIpv6(error))
    return new LocalFaultError(plainWords(code, code), { cause: error });
  if (REQUEST_CODES.has(code)) {
    return new TypeError(`not a request that can be sent: ${error.message}`, { cause: error });
  }
  return null;
}

/**
 * For a host with several addresses: the last error that is not internal. The last address had the most time, and a
 * machine without IPv6 must not turn the host's refusal into an internal error.
 */
function decisiveError(error: Error): Error {
  const all = error instanceof AggregateError ? error : error.cause;
  if (!(all instanceof AggregateError)) return error;
  const errors = all.errors.filter((each: unknown): each is Error => each instanceof Error);
  return errors.findLast((each) => internalError(each) === null) ?? errors.at(-1) ?? error;
}

/** Without IPv6, every IPv6 address fails with EADDRNOTAVAIL. For IPv4 it means that no local port is free. */
function isWithoutIpv6(error: Error): boolean {
  return (
    codeOf(error) === 'EADDRNOTAVAIL' &&
    'address' in error &&
    typeof error.address === 'string' &&
    isIPv6(error.address)
  );
}

function isTcpConnectError(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
