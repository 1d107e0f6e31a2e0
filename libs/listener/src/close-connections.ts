import type { FastifyInstance } from 'fastify';

const SWEEP_EVERY_MS = 50;

/** After a worker's 15 s for what it is sending, this still ends before `runProcess` gives up. */
const CUT_OFF_AFTER_MS = 8_000;

/**
 * Lets a stop end with the last answer. Fastify closes the connections that are idle when the stop begins; one that
 * is busy at that moment would be kept alive after its answer, and waited for until the client lets go of it. A client
 * that sends its request too slowly, or nothing at all, is cut off after `cutOffAfterMs`.
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
