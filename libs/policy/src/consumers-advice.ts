import { TLS_FAULTS, type HoldReason, type Outcome } from '#libs/contracts';
import type { AttemptCause } from './advice.js';
import type { ConsumerHealth } from './consumer-health.js';

/*
 * Words for a consumer's own people, who see their own server and nothing of the bank's. They name no setting, address
 * or person of the bank; `adviceFor` and `consumerHealth` have the words for on-call staff.
 */

/** A consumer refuses a timestamp that differs from its clock by more (specification, "Errors", 1). */
const TOLERANCE_MS = 300_000;

/** Advice about an attempt for the consumer's people: what their server did, and their first step. */
export function adviceForConsumer({ outcome, httpStatus, detail, clockSkewMs }: AttemptCause): string {
  const skew = outcome === 'acknowledged' || clockSkewMs === null ? null : skewInWords(clockSkewMs);
  return [skew, adviceOf(outcome, httpStatus, detail)].filter((part) => part !== null).join(' ');
}

/** Exhaustive: a new outcome does not compile without its advice. */
function adviceOf(outcome: Outcome, httpStatus: number | null, detail: string): string {
  switch (outcome) {
    case 'acknowledged':
      return 'Your server acknowledged it. There is nothing to do.';
    case 'http_status':
      return adviceForStatus(httpStatus);
    case 'redirect':
      return `Your server answered with a redirect (${String(httpStatus ?? '3xx')}), and redirects are not followed. Request a change of the URL to the final address; the URL is signed, so both sides must use the same.`;
    case 'timeout':
      return 'Your server did not answer in time. Acknowledge a notification first, and process it afterwards.';
    case 'dns':
      return 'The host name of your URL cannot be resolved. Check your public DNS records, and the URL for a typing error.';
    case 'connect':
      return 'No connection to your server: no service listens there, or a firewall refuses the connection. Check the service, the port of the URL and your firewall.';
    case 'tls':
      return (
        BY_TLS_FAULT.get(detail) ??
        'No TLS connection to your server. Check that it offers TLS 1.2 or later, and its certificate.'
      );
    case 'reset':
      return 'Your server closed the connection before it answered. Check the log of your server and of the proxy in front of it at the time of the attempt.';
    case 'blocked_address':
      return 'Your URL leads to an address to which the bank does not send, such as a private one. Request a change to a public address, or ask the bank.';
    case 'invalid_response':
      return 'The answer of your server is not HTTP/1.1. Check the port of the URL: something else may listen there.';
  }
}

/** Each fault of TLS that the consumer can correct. */
const BY_TLS_FAULT: ReadonlyMap<string, string> = new Map([
  [TLS_FAULTS.serverExpired, 'The certificate of your server, or one that issued it, has expired. Renew it.'],
  [
    TLS_FAULTS.serverUntrusted,
    'The certificate of your server comes from an authority that the bank does not trust. Use a public authority, and send the intermediate certificates; or agree on your own authority with the bank.',
  ],
  [
    TLS_FAULTS.serverSelfSigned,
    'The certificate of your server is self-signed. Use one of a public authority, or agree on it with the bank.',
  ],
  [
    TLS_FAULTS.serverOtherHost,
    'The certificate of your server is for another host name. Install one for the host of your URL.',
  ],
  ...[TLS_FAULTS.clientMissing, TLS_FAULTS.clientExpired, TLS_FAULTS.clientRevoked].map(
    (fault): [string, string] => [
      fault,
      'Your server asks for a client certificate, and the bank sends no valid one. Contact the bank.',
    ],
  ),
  ...[TLS_FAULTS.clientUntrusted, TLS_FAULTS.clientRefused].map((fault): [string, string] => [
    fault,
    'Your server refuses the client certificate of the bank. Compare it with the one that your server admits, or contact the bank.',
  ]),
]);

function adviceForStatus(status: number | null): string {
  if (status === null) return 'Your server refused the notification. See its answer in the attempt.';
  const answered = `Your server answered ${String(status)}`;
  const cause = BY_STATUS.get(status);
  if (cause !== undefined) return `${answered}: ${cause}`;
  if (status >= 500) return `${answered}, a fault of your server. See its log at the time of the attempt.`;
  return `${answered} and refused the notification. See its answer in the attempt, and its log.`;
}

/** Statuses with a specific cause (RFC 9110, section 15; RFC 6585 for 429). */
const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [
    400,
    'it does not understand the notification. Compare the body of the delivery with what your server expects.',
  ],
  [
    401,
    'it refuses the user name and password, or the signature. Compare the credentials; for the signature see the verification example.',
  ],
  [
    403,
    'it forbids the request. Check that your firewall or gateway admits the bank’s addresses; then compare credentials and signature.',
  ],
  [404, 'there is nothing at this path. Compare the path of the URL with your server’s, to the last /.'],
  [405, 'the path does not accept POST. Compare the path of the URL with your server’s, to the last /.'],
  [408, 'it waited too long for the request. Usually a proxy in front of it is overloaded.'],
  [
    409,
    'it sees a conflict, often a notification that it has already. Acknowledge repeats with 2xx: each can arrive more than once.',
  ],
  [
    410,
    'this address is gone for good. Sending is paused; request a change of the URL, or contact the bank.',
  ],
  [413, 'the body is too large for it. It has to accept 256 KiB.'],
  [415, 'it does not accept application/json. Change that in your server.'],
  [422, 'it finds the content wrong. See its answer in the attempt, and correct the check.'],
  [429, 'notifications arrive faster than it accepts. Agree on a rate with the bank.'],
  [500, 'its program failed. See its log at the time of the attempt.'],
  [502, 'a proxy in front of it does not reach it. Check the service behind the proxy.'],
  [503, 'it is unavailable. Check whether it runs and is not overloaded.'],
  [504, 'a proxy in front of it got no answer in time. Acknowledge first, and process afterwards.'],
]);

function skewInWords(clockSkewMs: number): string {
  const side = clockSkewMs < 0 ? 'behind' : 'ahead of';
  const apart = `The clock of your server is ${String(Math.round(Math.abs(clockSkewMs) / 1_000))} s ${side} the bank’s`;
  return Math.abs(clockSkewMs) > TOLERANCE_MS
    ? `${apart}, so that it refuses every timestamp. Set the clock (NTP) first.`
    : `${apart}. Set it (NTP), since timestamps more than 300 s away are refused.`;
}

/** Why a delivery is not sent now, for the consumer's people. Exhaustive. */
export function holdForConsumer(reason: HoldReason): string {
  switch (reason) {
    case 'record':
      return 'It was sent, but the bank could not keep the result. The bank decides whether it is sent again.';
    case 'order':
      return 'An earlier status of the same payment is delivered first.';
    case 'paused':
      return 'Sending is paused.';
    case 'secret':
      return 'The bank cannot use your credentials at the moment. It is sent as soon as the bank has corrected that.';
    case 'circuit':
      return 'Your server has failed too often. One delivery is sent from time to time, and the rest after its success.';
    case 'concurrency':
      return 'As many deliveries as agreed are being sent.';
  }
}

/** The parts of a consumer's health that its words depend on. */
export type HealthForConsumer = Pick<ConsumerHealth, 'state' | 'cause' | 'dead'> & {
  /** Paused by its answer 410, not by the bank. */
  readonly pausedByAnswer: boolean;
};

/** The health of a consumer in words for its own people. Exhaustive. */
export function healthForConsumer({ state, cause, dead, pausedByAnswer }: HealthForConsumer): {
  readonly summary: string;
  readonly advice: string;
} {
  const advice =
    cause === null ? 'See the failures.' : adviceForConsumer({ ...cause, detail: '', clockSkewMs: null });
  switch (state) {
    case 'credentials_broken':
      return {
        summary: 'Sending is interrupted by a fault at the bank.',
        advice: 'The bank has to correct it. Nothing is lost.',
      };
    case 'paused':
      return pausedByAnswer
        ? {
            summary: 'Sending is paused, because your server answered 410 Gone.',
            advice: 'Request a change of the URL, or contact the bank. Nothing is lost.',
          }
        : {
            summary: 'The bank has paused sending to you.',
            advice: 'Nothing is lost: what is held is sent in order afterwards.',
          };
    case 'down':
      return { summary: 'Your server cannot be reached, or refuses everything.', advice };
    case 'degraded':
      return { summary: 'Some deliveries to your server fail.', advice };
    case 'falling_behind':
      return {
        summary: 'Deliveries to your server are late.',
        advice: 'Shorten the response time of your server, or agree on higher limits with the bank.',
      };
    case 'healthy':
      return dead.count > 0
        ? {
            summary: 'Deliveries succeed, and some older ones were given up.',
            advice: 'Replay what you have missed.',
          }
        : { summary: 'Deliveries succeed.', advice: 'There is nothing to do.' };
  }
}
