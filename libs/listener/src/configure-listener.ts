import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import { ANSWER_HEADERS } from './answer-headers.js';
import { closeConnectionsWhenStopping } from './close-connections.js';
import { refuseBeforeRouting, refuseExpectation, refuseOnSocket, refuseTunnel } from './early-refusals.js';

/** Maximum time for the request line and headers. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Maximum time for the whole request with its body. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Interval of Node's checks of these two limits, which can be exceeded by as much. */
const CHECKED_EVERY_MS = 2_000;
/** Maximum time without data during a request or its answer. */
const SILENCE_MS = 60_000;
/** Maximum time of a connection without a request; longer than the usual 60 s of proxies in front. */
const KEEP_ALIVE_MS = 72_000;
/** Maximum number of characters of one part of a path. */
const MAX_PARAMETER_LENGTH = 300;

/**
 * The options of the listeners of api and worker: slow clients are disconnected, every request has an id for its errors and
 * log lines, and the refusals of Node and Fastify are problems (RFC 9457) too.
 */
export const listenerOptions = () =>
  ({
    genReqId: () => randomUUID(),
    frameworkErrors: refuseBeforeRouting,
    clientErrorHandler: refuseOnSocket,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKED_EVERY_MS,
      // Node's refusal has no body; `requireOneHost` replaces it.
      requireHostHeader: false,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Requests on kept connections are answered normally while the process stops.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
  }) satisfies FastifyHttpOptions<Server>;

/** HTTP/1.1 requires exactly one `Host` (RFC 9112, section 3.2). With two, a proxy may have used the other one. */
class NotOneHostError extends Error {
  override readonly name = 'NotOneHostError';
  readonly statusCode = 400;
}

/** Closes the connection of a refused request: the bytes that follow may belong to another client's request. */
function requireOneHost({ rawHeaders, httpVersion }: IncomingMessage, reply: FastifyReply): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    void reply.header('connection', 'close');
    throw new NotOneHostError('The request does not name one host.');
  }
}

/** Adds answer headers, early refusals and the closing of connections to a listener. */
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
