import { createHmac } from 'node:crypto';

/** The signed parts of a request. */
export interface SignedParts {
  /** Exactly as requested: the registered URL in its canonical form. */
  readonly url: string;
  /** The body's text; its UTF-8 bytes are sent and signed. */
  readonly body: string;
  /** The value of `x-timestamp`. */
  readonly timestamp: string;
}

/** Notifications are POSTed (specification, "Webhook delivery"). */
export const VERB = 'POST';

/** HTTP_VERB + HTTP_URL + PAYLOAD + TIMESTAMP without separators (specification, "Authentication", 3). */
export const stringToSign = (parts: SignedParts): string =>
  `${VERB}${parts.url}${parts.body}${parts.timestamp}`;

/**
 * HMAC-SHA256 (RFC 2104) over the string to sign, keyed with the secret's UTF-8 bytes.
 * @returns `x-signature`: 64 lower-case hexadecimal characters
 */
export function signNotification(secret: string, parts: SignedParts): string {
  // As text, which is read as UTF-8: a Buffer costs five times as much.
  return createHmac('sha256', secret).update(stringToSign(parts), 'utf8').digest('hex');
}
