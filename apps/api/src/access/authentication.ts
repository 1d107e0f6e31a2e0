import type { IncomingHttpHeaders } from 'node:http';
import { ForbiddenException, UnauthorizedException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { requestSite } from '../session/request-origin.js';
import type { RequestWithCaller } from './caller.js';
import { presentedIn, SEND_A_KEY, signInBytes, type Presented } from './presented-key.js';

/** Finds the caller of a request that presents a key or a session. */
interface CallerLookup {
  callerOf(request: RequestWithCaller): Promise<unknown>;
}

/** Counts a request against the limit of its key or session. */
interface RequestCounter {
  count(request: RequestWithCaller, presented: Presented): Promise<void>;
}

/**
 * Reads what each request presents, once, and refuses a request before a byte of its body is parsed: without a key or
 * session, with one that asks too often, or with an unknown one. Bodies of up to 5 MiB are therefore read from known
 * callers only. The guard, which runs after the body was read, requires the same of every route that is not public, so
 * it decides about requests without a body. Public routes are GET, whose body is never read, or a sign-in, whose body
 * is small.
 *
 * A browser sends its session also with requests that another site caused, so a session may change something only from
 * the console's own pages.
 */
export function authenticateRequests(
  server: FastifyInstance,
  callers: CallerLookup,
  rates: RequestCounter,
  read: (headers: IncomingHttpHeaders) => Presented | null = presentedIn,
): void {
  server.addHook('onRequest', async (request: RequestWithCaller) => {
    const { method, headers, url } = request;
    const presented = read(headers);
    request.presented = presented;
    const isReading = method === 'GET' || method === 'HEAD';
    const needsKey = !isReading && !(method === 'POST' && signInBytes(url) !== undefined);
    if (needsKey && presented === null) throw new UnauthorizedException(SEND_A_KEY);
    if (needsKey && presented?.kind === 'session' && requestSite(headers) !== 'own') {
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
