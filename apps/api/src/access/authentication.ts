import type { IncomingHttpHeaders } from 'node:http';
import { ForbiddenException, UnauthorizedException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { requestSite } from './sign-in/request-origin.js';
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
 * Reads the key or session of each request once. Refuses a request before its body is parsed if it presents no key or
 * session, an unknown one, or one beyond its rate limit. Bodies of up to 5 MiB are therefore read only from known
 * callers. The guard runs after the body was read and authenticates every route that is not public, so it handles
 * requests without a body. Public routes are GET, whose body is never read, or a sign-in, whose body is small.
 *
 * A browser also sends the session with requests caused by another site's page. Requests with a session are therefore
 * refused, unless they only read or come from the console's own pages.
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

/** Whether a request has a body: one of the two headers is present (RFC 9112, section 6.3). */
const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
