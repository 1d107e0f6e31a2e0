import type { Credentials } from './credentials.js';
import { echoEraser } from './erase-echo.js';

const SIGNATURE_CHARACTERS_SHOWN = 8;

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

/**
 * Request headers for an attempt's record, without the values that would let a reader act as the dispatcher. `Authorization`
 * keeps its scheme, `x-signature` its first 8 characters to compare with a consumer's log. Names are case-insensitive.
 */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redacted(name, value)]));
}

function redacted(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'authorization':
      return value.startsWith('Basic ') ? 'Basic [redacted]' : '[redacted]';
    case 'proxy-authorization':
    case 'cookie':
      return '[redacted]';
    case 'x-signature':
      return `${value.slice(0, SIGNATURE_CHARACTERS_SHOWN)}… [redacted]`;
    default:
      return value;
  }
}
