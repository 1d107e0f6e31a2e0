import { TLS_FAULTS, type Outcome } from '#libs/contracts';

/** The known facts about an attempt's outcome. */
export interface AttemptCause {
  readonly outcome: Outcome;
  /** The answer's status, or null when none came. */
  readonly httpStatus: number | null;
  /** The attempt's outcome in the dispatcher's words. */
  readonly detail: string;
  /** The consumer's clock minus the dispatcher's, when they differ by more than a minute. */
  readonly clockSkewMs: number | null;
  /** The beginning of the consumer's answer, if the reader may see it. */
  readonly answer?: string | null;
}

/** A consumer refuses a timestamp that differs from its clock by more (specification, "Errors", 1). */
const TOLERANCE_MS = 300_000;

/**
 * Advice about an attempt for on-call staff: the probable place of the fault, and the first step, in one or two sentences.
 * For a refusal the consumer's own answer comes first. The advice does not mention retries, which the delivery's state
 * shows: it is also shown for deliveries that were given up.
 */
export function adviceFor({ outcome, httpStatus, detail, clockSkewMs, answer }: AttemptCause): string {
  const skew = outcome === 'acknowledged' || clockSkewMs === null ? null : skewInWords(clockSkewMs);
  const isRefusal = outcome === 'http_status' && httpStatus !== null && httpStatus < 500;
  const quoted = isRefusal ? quotation(answer ?? '') : null;
  return [quoted, skew, adviceOf(outcome, httpStatus, detail)].filter((part) => part !== null).join(' ');
}

/** Maximum number of characters quoted from the consumer's answer; HTML is not quoted. */
const LONGEST_WORDS = 120;

function quotation(answer: string): string | null {
  const words = answer.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  if (words === '' || words.startsWith('<')) return null;
  const shown = Array.from(words).slice(0, LONGEST_WORDS).join('');
  return `The consumer answered “${shown}${shown === words ? '' : '…'}”.`;
}

/** Exhaustive: a new outcome does not compile without its advice. */
function adviceOf(outcome: Outcome, httpStatus: number | null, detail: string): string {
  switch (outcome) {
    case 'acknowledged':
      return 'Nothing to do: the consumer has acknowledged it.';
    case 'http_status':
      return adviceForStatus(httpStatus);
    case 'redirect':
      return `${String(httpStatus ?? '3xx')}: the consumer redirects, and redirects are not followed. Ask it for the final address and change the URL; it is signed, so both sides must use the same.`;
    case 'timeout':
      return 'No answer within the consumer’s timeout. Ask the consumer to acknowledge first and work afterwards; raise timeoutMs only if it cannot.';
    case 'dns':
      return 'The host name of the URL cannot be resolved. Check the URL for a typing error, then ask the consumer about its DNS.';
    case 'connect':
      return 'No connection: no service listens there, or a firewall refuses it. Check host and port of the URL, and ask the consumer whether its service runs and admits our addresses.';
    case 'tls':
      return (
        BY_TLS_FAULT.get(detail) ??
        'No TLS connection: a certificate is not accepted, or TLS 1.2 is not offered. The detail shows which; usually the consumer has to correct it.'
      );
    case 'reset':
      return 'The connection broke before an answer came. Often a proxy or a restart at the consumer, or a wrong client certificate that it refuses without a message; if it continues, ask the consumer to check its proxy’s log at the time of the attempt.';
    case 'blocked_address':
      return 'The URL leads to an address that the dispatcher must not reach (private, local or reserved). Correct the URL; if the address is meant, the installation’s EGRESS_ALLOW has to name it.';
    case 'invalid_response':
      return 'The answer is not HTTP/1.1. Check the port of the URL: something else may listen there.';
  }
}

const NEW_CLIENT_CERTIFICATE =
  'add a version of its credentials with a new client certificate, and send a test delivery';

/** Each fault shows whose certificate is affected: the consumer's, or the dispatcher's client certificate. */
const BY_TLS_FAULT: ReadonlyMap<string, string> = new Map([
  [
    TLS_FAULTS.serverExpired,
    'The consumer’s certificate, or one that has issued it, has expired: the consumer has to renew it. If the expired one is its private authority’s, ask for the new one and change caCertificate.',
  ],
  [
    TLS_FAULTS.serverUntrusted,
    'The consumer’s certificate comes from an authority that we do not know. If that authority is the consumer’s own, have it sent over a channel that you trust and set caCertificate.',
  ],
  [
    TLS_FAULTS.serverSelfSigned,
    'The consumer’s certificate is self-signed. If it is meant to be, have it sent over a channel that you trust and set it as caCertificate.',
  ],
  [
    TLS_FAULTS.serverOtherHost,
    'The consumer’s certificate is for another host name. Compare the host of the URL with the consumer; if it is right, the consumer has to get a certificate for it.',
  ],
  [
    TLS_FAULTS.clientMissing,
    `The consumer asks for a client certificate, and none is registered: ${NEW_CLIENT_CERTIFICATE}.`,
  ],
  [
    TLS_FAULTS.clientExpired,
    `The consumer refuses our client certificate because it has expired: ${NEW_CLIENT_CERTIFICATE}.`,
  ],
  [
    TLS_FAULTS.clientRevoked,
    `The consumer refuses our client certificate because it was revoked: ${NEW_CLIENT_CERTIFICATE}.`,
  ],
  [
    TLS_FAULTS.clientUntrusted,
    'The consumer does not know the authority that has issued our client certificate. Ask which one it admits; the certificate may also lack those between it and that authority.',
  ],
  [
    TLS_FAULTS.clientRefused,
    'The consumer refuses our client certificate. Compare its subject and fingerprint with what the consumer admits, then send a test delivery.',
  ],
]);

function adviceForStatus(status: number | null): string {
  const found = status === null ? undefined : BY_STATUS.get(status);
  if (found !== undefined) return found;
  if (status !== null && status >= 500) {
    return `${String(status)}: a fault of the consumer. If it continues, call the contact.`;
  }
  return `${String(status ?? 'An unknown status')}: the consumer refuses the notification. Read its answer in the attempt and ask the consumer what it means.`;
}

/** Statuses with a specific cause (RFC 9110, section 15; RFC 6585 for 429). */
const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [
    400,
    '400: the consumer does not understand the notification. Read its answer, and compare the body with the specification.',
  ],
  [
    401,
    '401: the consumer refuses the Basic credentials or the signature. Ask it which of the two. Credentials: compare the user name, and look for a rotation on either side. Signature: use “Explain the signature”.',
  ],
  [
    403,
    '403: the consumer forbids the request. Ask whether our addresses are allowed and the user name has the permission; then compare credentials and signature as for 401.',
  ],
  [404, '404: nothing is at this path. Compare the path of the URL with the consumer’s, to the last /.'],
  [
    405,
    '405: the path does not accept POST. Compare the path of the URL with the consumer’s, to the last /.',
  ],
  [
    406,
    '406: the consumer cannot send an answer of a type that it thinks is required. It should answer 2xx with any type; its developer has to change that.',
  ],
  [408, '408: the consumer waited too long for the request. Usually a proxy in front of it is overloaded.'],
  [
    409,
    '409: the consumer sees a conflict, often a notification that it has already. It should acknowledge repeats with 2xx: it may get each more than once.',
  ],
  [
    410,
    '410: the consumer reports that this address is gone for good, and is paused. Ask for the new URL, change it, test it, and resume.',
  ],
  [
    411,
    '411: a proxy at the consumer requires Content-Length, which the dispatcher sends. The operator of the proxy has to correct it.',
  ],
  [413, '413: the consumer refuses a body of this size. It has to accept 256 KiB.'],
  [414, '414: the URL is too long for the consumer. Agree on a shorter one.'],
  [415, '415: the consumer does not accept application/json. Its developer has to change that.'],
  [
    422,
    '422: the consumer finds the content wrong. Read its answer; if the content follows the specification, its developer has to correct the check.',
  ],
  [
    429,
    '429: the dispatcher sends faster than the consumer accepts. Agree on a rate and set maxPerSecond or maxConcurrency.',
  ],
  [431, '431: the consumer finds the headers too large. Ask whether its proxy adds some.'],
  [
    500,
    '500: the consumer’s program failed. If it continues, call the contact; if one payment fails alone, give the consumer its notificationId.',
  ],
  [501, '501: the consumer’s server does not support the request. Compare the URL with the consumer’s.'],
  [502, '502: a proxy at the consumer does not reach its service. If it continues, call the contact.'],
  [503, '503: the consumer reports that it is unavailable. If it continues, call the contact.'],
  [
    504,
    '504: a proxy at the consumer got no answer from its service in time. If it continues, call the contact.',
  ],
]);

function skewInWords(clockSkewMs: number): string {
  const side = clockSkewMs < 0 ? 'behind' : 'ahead of';
  const apart = `The consumer’s clock is ${String(Math.round(Math.abs(clockSkewMs) / 1_000))} s ${side} ours`;
  return Math.abs(clockSkewMs) > TOLERANCE_MS
    ? `${apart}: it refuses every timestamp until the clock is set (NTP); begin there.`
    : `${apart}: have it set (NTP), since timestamps more than 300 s away are refused.`;
}
