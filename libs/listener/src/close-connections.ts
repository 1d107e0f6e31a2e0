import type { FastifyInstance } from 'fastify';

const SWEEP_EVERY_MS = 50;

/** Together with a worker's 15 s for its deliveries in flight, this is less than the 25 s limit of `runProcess`. */
const CUT_OFF_AFTER_MS = 8_000;

/**
 * Lets a stop end with the last answer. Fastify closes the connections that are idle when the stop begins; a busy one
 * would stay open after its answer until the client closes it. The connection of a client that does not complete its
 * request is closed after `cutOffAfterMs`.
 */
export function closeConnectionsWhenStopping(
  server: FastifyInstance,
  { cutOffAfterMs = CUT_OFF_AFTER_MS }: { readonly cutOffAfterMs?: number } = {},
): void {
  let isStopping = false;
  server.addHook('preClose', async () => {
    isStopping = true;
    const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_EVERY_MS).unref();
    const cutOff = setTimeout(() => server.server.closeAllConnections(), cutOffAfterMs).unref();
    server.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cutOff);
    });
  });
  server.addHook('onSend', async (_request, reply) => {
    if (isStopping) void reply.header('connection', 'close');
  });
}
