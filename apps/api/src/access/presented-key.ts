import type { IncomingHttpHeaders } from 'node:http';
import { isForLoopback } from '../session/request-origin.js';
import { sessionCookie } from '../session/session-cookie.js';
import { hashApiKey } from './api-key.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/**
 * The routes that begin a session, with the largest body of each in bytes. Only their bodies are read without a key. The
 * last one receives what an OpenID provider sent the browser back with, whose code may be long.
 */
const SIGN_IN_PATHS: ReadonlyMap<string, number> = new Map([
  ['/v1/session', 2 * 1024],
  ['/v1/session/openid', 2 * 1024],
  ['/v1/session/openid/answer', 10 * 1024],
]);

/** @returns the largest body of a sign-in in bytes; undefined for any other URL */
export const signInBytes = (url: string): number | undefined => SIGN_IN_PATHS.get(url.split('?', 1)[0] ?? '');

/** What a request presents, not yet checked: an API key or a session's token, and the SHA-256 of either. */
export type Presented = { readonly hash: Buffer } & (
  | { readonly kind: 'key' }
  | { readonly kind: 'session'; readonly token: string }
);

export const SEND_A_KEY = 'Send an API key: Authorization: Bearer <key>.';

/**
 * A key that is sent explicitly takes precedence over a session.
 * @returns null when there is neither, or not in the form of one
 */
export function presentedIn(headers: IncomingHttpHeaders): Presented | null {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { kind: 'key', hash: hashApiKey(key) };
  if (headers.authorization !== undefined) return null;
  const token = sessionCookie.tokenIn(headers.cookie, isForLoopback(headers));
  return token === null ? null : { kind: 'session', hash: hashApiKey(token), token };
}
