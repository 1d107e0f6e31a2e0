import { fastify, type FastifyInstance } from 'fastify';
import { configureListener, listenerOptions } from './configure-listener.js';
import { sendProblem } from './send-problem.js';

/** In seconds. */
const RETRY_AFTER = 5;

/**
 * Listens for a process that cannot start yet: it reports alive and not ready, and answers 503 to all other requests.
 *
 * @param missing the checks that fail, by the names of the later `/readyz`, with the faults
 * @returns the listener, to be closed before the process itself listens
 * @throws Node's error for an address that cannot be used
 */
export async function answerWhileWaiting(
  where: { readonly host: string; readonly port: number },
  missing: Readonly<Record<string, string>>,
): Promise<FastifyInstance> {
  const server = fastify(listenerOptions());
  configureListener(server);
  // Before routing, so that no body is read and every method is answered.
  server.addHook('onRequest', async (request, reply) => {
    switch (request.url.split('?', 1)[0] ?? '') {
      case '/livez':
        return reply.send({ status: 'ok' });
      case '/readyz':
        return reply.status(503).send({ status: 'unavailable', checks: missing });
      default:
        void reply.header('retry-after', RETRY_AFTER);
        sendProblem(reply, {
          status: 503,
          detail: 'The process is starting. Nothing was done: ask again.',
          requestId: request.id,
        });
        return reply;
    }
  });
  await server.listen(where);
  return server;
}
