import type { IncomingHttpHeaders } from 'node:http';
import { ForbiddenException, UnauthorizedException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { isForLoopback, siteOf } from '../session/request-origin.js';
import { sessionCookie } from '../session/session-cookie.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/**
 * The routes that make a session, the only ones whose bodies are read for strangers, with the most bytes of each. The last
 * one's is what a provider sends a browser back with, whose code may be long.
 */
const SIGN_IN_PATHS: ReadonlyMap<string, number> = new Map([
  ['/v1/session', 2 * 1024],
  ['/v1/session/openid', 2 * 1024],
  ['/v1/session/openid/answer', 10 * 1024],
]);

/** @returns the most bytes of a sign-in's body; undefined for what is none */
export const signInBytes = (url: string): number | undefined => SIGN_IN_PATHS.get(url.split('?', 1)[0] ?? '');

/** With what a request says who makes it, whoever that may be. */
export type Presented =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'session'; readonly token: string };

/**
 * A key wins over a session: whoever sends one means it.
 * @returns null when there is neither, or not in the form of one
 */
export function presentedIn(headers: IncomingHttpHeaders): Presented | null {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { kind: 'key', key };
  const token =
    headers.authorization === undefined
      ? sessionCookie.tokenIn(headers.cookie, isForLoopback(headers))
      : null;
  return token === null ? null : { kind: 'session', token };
}

/** @throws UnauthorizedException when nothing is presented */
export function presentedBy(headers: IncomingHttpHeaders): Presented {
  const presented = presentedIn(headers);
  if (presented !== null) return presented;
  throw new UnauthorizedException('Send an API key: Authorization: Bearer <key>.');
}

/**
 * Refuses a request that presents nothing before its body is read: nobody unknown makes us take in and parse 5 MiB.
 * The guard, which comes after the body, asks the same of every route that is not public; what is public is read
 * with GET, whose body is never taken in, or is a sign-in, whose body is small.
 *
 * A browser sends its session with whatever another site makes it send, so what changes something has to come from
 * a page of ours.
 */
export function requireKeyBeforeBody(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ method, headers, url }) => {
    if (method === 'GET' || method === 'HEAD') return;
    if (method === 'POST' && signInBytes(url) !== undefined) return;
    if (presentedBy(headers).kind === 'session' && siteOf(headers) !== 'own') {
      throw new ForbiddenException(
        'A session changes things only from the console’s own pages. Other programs send their API key.',
      );
    }
  });
}
