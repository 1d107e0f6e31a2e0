import type { IncomingHttpHeaders } from 'node:http';
import { isForLoopback } from './sign-in/request-origin.js';
import { sessionCookie } from './sign-in/session-cookie.js';
import { hashApiKey } from './api-key.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/**
 * The sign-in routes, with the maximum body of each in bytes. Only their bodies are read without a key. The last one
 * receives the OpenID provider's answer, whose code may be long.
 */
const SIGN_IN_PATHS: ReadonlyMap<string, number> = new Map([
  ['/v1/session', 2 * 1024],
  ['/v1/session/link', 2 * 1024],
  ['/portal/basic/sign-in', 2 * 1024],
  ['/v1/session/openid', 2 * 1024],
  ['/v1/session/openid/answer', 10 * 1024],
]);

/** @returns the maximum body of a sign-in in bytes; undefined for any other URL */
export const signInBytes = (url: string): number | undefined => SIGN_IN_PATHS.get(url.split('?', 1)[0] ?? '');

/** The unverified API key or session token of a request, with its SHA-256. */
export type Presented = { readonly hash: Buffer } & (
  | { readonly kind: 'key' }
  | { readonly kind: 'session'; readonly token: string }
);

export const SEND_A_KEY = 'Send an API key: Authorization: Bearer <key>.';

/**
 * Reads the API key or session token. An `Authorization` header takes precedence over a session cookie.
 * @returns null if there is neither, or if it is malformed
 */
export function presentedIn(headers: IncomingHttpHeaders): Presented | null {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { kind: 'key', hash: hashApiKey(key) };
  if (headers.authorization !== undefined) return null;
  const token = sessionCookie.tokenIn(headers.cookie, isForLoopback(headers));
  return token === null ? null : { kind: 'session', hash: hashApiKey(token), token };
}
