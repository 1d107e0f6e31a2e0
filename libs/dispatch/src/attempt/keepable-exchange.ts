import type { Exchange } from '#libs/egress';
import { echoEraser, redactHeaders, type Credentials } from '#libs/vault';

/**
 * An exchange as it may be kept and shown: our request headers redacted, and what the consumer repeats of our secrets
 * erased from its answer.
 */
export function keepableExchange(exchange: Exchange, credentials: Credentials): Exchange {
  const { requestHeaders, responseHeaders, responseBody, responseTruncated } = exchange;
  const kept = { ...exchange, requestHeaders: redactHeaders(requestHeaders) };
  if (responseHeaders === null && responseBody === null) return kept;
  const erase = echoEraser(credentials, requestHeaders);
  return {
    ...kept,
    responseHeaders:
      responseHeaders === null
        ? null
        : Object.fromEntries(Object.entries(responseHeaders).map(([name, value]) => [name, erase(value)])),
    responseBody: responseBody === null ? null : erase(responseBody, responseTruncated),
  };
}
