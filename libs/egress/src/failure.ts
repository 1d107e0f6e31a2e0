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

/** A {@link Failure} on its way through sockets and callbacks that carry errors only. */
export class FailureError extends Error {
  override readonly name = 'FailureError';

  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

/** This process is short of something, or closed: nothing that the consumer has to answer for. */
const LOCAL_CODES: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** The client refuses the request itself: a fault in our program. */
const REQUEST_CODES: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/** The connection broke: these arrive whichever side the bytes were flowing to. */
const RESET_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOTCONN']);

/** The error of a failed name lookup, as it travels through the socket: a {@link FailureError}, or a fault of ours. */
export function lookupError(error: Error): Error {
  if (error instanceof FailureError) return error;
  return (
    faultOfOurs(error) ??
    new FailureError({ outcome: 'dns', detail: plainWords(codeOf(error), 'name lookup failed') })
  );
}

/**
 * The error when no connection came about, TCP or with https the TLS handshake on top of it:
 * a {@link FailureError}, or a fault of ours.
 */
export function connectError(error: Error, protocol: string): Error {
  if (error instanceof FailureError) return error;
  const telling = tellingError(error);
  return faultOfOurs(telling) ?? new FailureError(connectFailure(telling, protocol));
}

function connectFailure(error: Error, protocol: string): Failure {
  const code = codeOf(error);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { outcome: 'timeout', detail: 'no connection in time' };
  }
  if (isWithoutIpv6(error)) return { outcome: 'connect', detail: 'this machine has no IPv6' };
  // What fails after `connect` succeeded fails in the handshake; a reset there bears no `syscall: connect`.
  if (protocol === 'https:' && !isTcpConnectError(error)) {
    return { outcome: 'tls', detail: plainWords(code, 'TLS handshake failed') };
  }
  return { outcome: 'connect', detail: plainWords(code, 'connection failed') };
}

/**
 * Why an exchange broke off before a final status.
 *
 * @throws LocalFaultError, or TypeError when the client refused our request: a fault of ours.
 */
export function exchangeFailure(error: Error): Failure {
  if (error instanceof FailureError) return error.failure;
  const fault = faultOfOurs(error);
  if (fault !== null) throw fault;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { outcome: 'invalid_response', detail: 'response headers are larger than 16 KiB' };
  }
  // By class: the parser's errors often bear no code.
  if (error instanceof undiciErrors.HTTPParserError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { outcome: 'invalid_response', detail: 'the answer is not HTTP/1.1' };
  }
  // The client says by the message alone that the peer broke the protocol instead of the connection.
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) {
    return { outcome: 'invalid_response', detail: 'the answer is out of place: not asked for, or 101' };
  }
  // With TLS 1.3 a server refuses a client's certificate after the handshake.
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return { outcome: 'tls', detail: plainWords(code, 'TLS failed') };
  }
  if (code === 'ETIMEDOUT') return { outcome: 'timeout', detail: 'the connection fell silent' };
  return {
    outcome: 'reset',
    detail: RESET_CODES.has(code) ? 'connection reset' : 'connection closed before an answer',
  };
}

function faultOfOurs(error: Error): Error | null {
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
 * Of the errors of a host's several addresses the last that is not ours: it alone had all the time there was,
 * and that this machine lacks one of them (IPv6, mostly) does not make the host's refusal our fault.
 */
function tellingError(error: Error): Error {
  const all = error instanceof AggregateError ? error : error.cause;
  if (!(all instanceof AggregateError)) return error;
  const errors = all.errors.filter((each: unknown): each is Error => each instanceof Error);
  return errors.findLast((each) => faultOfOurs(each) === null) ?? errors.at(-1) ?? error;
}

/** Without IPv6 every IPv6 address gives EADDRNOTAVAIL; only for IPv4 it means that the local ports are used up. */
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
