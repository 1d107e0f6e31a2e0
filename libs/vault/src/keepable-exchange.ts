import type { Credentials } from './credentials.js';
import { echoEraser } from './erase-echo.js';
import { redactHeaders } from './redact-headers.js';

/** The parts of an exchange that can contain secrets. */
interface ExchangeTexts {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly responseTruncated: boolean;
}

/**
 * An exchange that can be stored and shown: request headers redacted, and secrets that the consumer repeats erased from its
 * answer.
 */
export function keepableExchange<E extends ExchangeTexts>(exchange: E, credentials: Credentials): E {
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
