import type { Outcome } from '#libs/contracts';
import type { Exchange } from './exchange.js';
import { exchangeFailure, type Failure } from './failure.js';
import { isEncoded, plainHeaders, readableBody } from './readable-response.js';
import type { Collected } from './response-collector.js';
import { clockSkewMs, retryAfterMs } from './response-times.js';

type Answer = Omit<
  Exchange,
  'sentAt' | 'durationMs' | 'remoteAddress' | 'requestHeaders' | 'serverCertificate'
>;

/**
 * The outcome of a response, or of its absence. A final status decides, even when the body is incomplete.
 *
 * @throws LocalFaultError or TypeError when this process could not send.
 */
export function readExchange(collected: Collected): Answer {
  const { head, kept, error, timedOut, isSent } = collected;
  if (head === null) {
    if (error !== null) return withoutAnswer(exchangeFailure(error));
    return withoutAnswer(
      timedOut
        ? { outcome: 'timeout', detail: isSent ? 'no answer in time' : 'no connection in time' }
        : { outcome: 'invalid_response', detail: 'the answer has no final status' },
    );
  }
  const headers = plainHeaders(head.headers);
  const encoding = headers['content-encoding'];
  const outcome = outcomeOf(head.status);
  return {
    outcome,
    httpStatus: head.status,
    detail: detailOf(outcome, head.status),
    responseHeaders: headers,
    responseBody: readableBody(kept, collected.isWhole, encoding),
    responseTruncated: !collected.isWhole || (kept.length > 0 && isEncoded(encoding)),
    retryAfterMs: retryAfterMs(headers['retry-after'], head.receivedAtMs),
    clockSkewMs: clockSkewMs(headers['date'], head.receivedAtMs),
  };
}

/** The result of an exchange without a final status. */
export function withoutAnswer(failure: Failure): Answer {
  return {
    ...failure,
    httpStatus: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    retryAfterMs: null,
    clockSkewMs: null,
  };
}

function outcomeOf(status: number): Outcome {
  if (status < 300) return 'acknowledged';
  return status < 400 ? 'redirect' : 'http_status';
}

function detailOf(outcome: Outcome, status: number): string {
  return outcome === 'redirect' ? `HTTP ${status}; redirects are not followed` : `HTTP ${status}`;
}
