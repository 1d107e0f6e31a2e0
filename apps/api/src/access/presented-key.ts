import type { IncomingHttpHeaders } from 'node:http';
import { isForLoopback } from '../session/request-origin.js';
import { sessionCookie } from '../session/session-cookie.js';
import { hashApiKey } from './api-key.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/**
 * The routes that make a session, the only ones whose bodies are read without a key, with the most bytes of each. The last
 * one's is what a provider sends a browser back with, whose code may be long.
 */
const SIGN_IN_PATHS: ReadonlyMap<string, number> = new Map([
  ['/v1/session', 2 * 1024],
  ['/v1/session/openid', 2 * 1024],
  ['/v1/session/openid/answer', 10 * 1024],
]);

/** @returns the most bytes of a sign-in's body; undefined for what is none */
export const signInBytes = (url: string): number | undefined => SIGN_IN_PATHS.get(url.split('?', 1)[0] ?? '');

/** What a request presents: the SHA-256 of a key, or a session's token. Neither has been checked. */
export type Presented =
  { readonly kind: 'key'; readonly hash: Buffer } | { readonly kind: 'session'; readonly token: string };

export const SEND_A_KEY = 'Send an API key: Authorization: Bearer <key>.';

/**
 * A key that is sent explicitly takes precedence over a session.
 * @returns null when there is neither, or not in the form of one
 */
export function presentedIn(headers: IncomingHttpHeaders): Presented | null {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { kind: 'key', hash: hashApiKey(key) };
  const token =
    headers.authorization === undefined
      ? sessionCookie.tokenIn(headers.cookie, isForLoopback(headers))
      : null;
  return token === null ? null : { kind: 'session', token };
}
