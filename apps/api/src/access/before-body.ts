import type { IncomingHttpHeaders } from 'node:http';
import { ForbiddenException, UnauthorizedException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { siteOf } from '../session/request-origin.js';
import type { RequestWithCaller } from './caller.js';
import type { Callers } from './callers.service.js';
import { presentedIn, SEND_A_KEY, signInBytes } from './presented-key.js';
import type { RateLimits } from './rate-limits.js';

/**
 * Refuses a request before a byte of its body is parsed: without a key or session, with one that asks too often, or with
 * one that is unknown. A body of up to 5 MiB is therefore taken from known callers only. The guard, which comes after the
 * body, asks the same of every route that is not public, so a request without a body is left to it. What is public is
 * read with GET, whose body is never read, or is a sign-in, whose body is small.
 *
 * A browser sends its session with requests that another site makes it send, so a change needs one of our own pages.
 */
export function identifyBeforeBody(server: FastifyInstance, callers: Callers, rates: RateLimits): void {
  server.addHook('onRequest', async (request: RequestWithCaller) => {
    const { method, headers, url } = request;
    const presented = presentedIn(headers);
    const isReading = method === 'GET' || method === 'HEAD';
    const needsKey = !isReading && !(method === 'POST' && signInBytes(url) !== undefined);
    if (needsKey && presented === null) throw new UnauthorizedException(SEND_A_KEY);
    if (needsKey && presented?.kind === 'session' && siteOf(headers) !== 'own') {
      throw new ForbiddenException(
        'A session changes things only from the console’s own pages. Other programs send their API key.',
      );
    }
    if (presented !== null) await rates.count(request, presented);
    if (needsKey && hasBody(headers)) await callers.callerOf(request);
  });
}

/** RFC 9112, section 6.3: a request has a body when either header is there. */
const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
