import type { FastifyInstance } from 'fastify';

const SWEEP_EVERY_MS = 50;

/**
 * Lets a stop end with the last answer. Fastify closes the connections that are idle when the stop begins; one that
 * is busy at that moment would be kept alive after its answer, and waited for until the client lets go of it.
 */
export function closeConnectionsWhenStopping(server: FastifyInstance): void {
  let isStopping = false;
  server.addHook('preClose', async () => {
    isStopping = true;
    const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_EVERY_MS).unref();
    server.server.once('close', () => clearInterval(sweep));
  });
  server.addHook('onSend', async (_request, reply) => {
    if (isStopping) void reply.header('connection', 'close');
  });
}
