import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import { ANSWER_HEADERS } from './answer-headers.js';
import { closeConnectionsWhenStopping } from './close-connections.js';
import { refuseBeforeRouting, refuseExpectation, refuseOnSocket, refuseTunnel } from './early-refusals.js';

/** A request line and headers arrive within this time, or the connection is closed. */
const HEADERS_TIMEOUT_MS = 10_000;
/** A whole request, body included. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often the two above are looked at, and by how much they are exceeded at most. */
const CHECKED_EVERY_MS = 2_000;
/** Nothing comes and nothing is taken, in the middle of a request or of its answer. */
const SILENCE_MS = 60_000;
/** A connection without a request; longer than the proxies in front of us keep theirs, which is 60 s as a rule. */
const KEEP_ALIVE_MS = 72_000;
/** Of one part of a path. */
const MAX_PARAMETER_LENGTH = 300;

/**
 * The options of every listener of ours, api and worker alike: slow clients are cut off, every request has an id that its
 * errors and logs carry, and what Node or Fastify refuse by themselves is a problem (RFC 9457) like any other refusal.
 */
export const listenerOptions = () =>
  ({
    genReqId: () => randomUUID(),
    frameworkErrors: refuseBeforeRouting,
    clientErrorHandler: refuseOnSocket,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKED_EVERY_MS,
      // Node's own refusal has no body; ours is below.
      requireHostHeader: false,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request that still comes in on a kept connection while the process stops is answered like any other.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
  }) satisfies FastifyHttpOptions<Server>;

/** Every request of HTTP/1.1 names one (RFC 9112, section 3.2); of two, a proxy may have heeded the other. */
class NotOneHostError extends Error {
  override readonly name = 'NotOneHostError';
  readonly statusCode = 400;
}

/** The connection ends with the refusal: what follows on it may belong to somebody else's request. */
function requireOneHost({ rawHeaders, httpVersion }: IncomingMessage, reply: FastifyReply): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    void reply.header('connection', 'close');
    throw new NotOneHostError('The request does not name one host.');
  }
}

/** What every listener of ours does before it listens: the headers of its answers, its last refusals, its end. */
export function configureListener(server: FastifyInstance): void {
  closeConnectionsWhenStopping(server);
  server.server.on('checkExpectation', refuseExpectation).on('connect', refuseTunnel);
  server.addHook('onRequest', async ({ raw }, reply) => requireOneHost(raw, reply));
  server.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    for (const [name, value] of Object.entries(ANSWER_HEADERS))
      if (!reply.hasHeader(name)) void reply.header(name, value);
  });
}
