import { fastify, type FastifyInstance } from 'fastify';
import { configureListener, listenerOptions } from './configure-listener.js';
import { sendProblem } from './send-problem.js';

/** In seconds. */
const RETRY_AFTER = 5;

/**
 * Listens for a process that cannot start yet: it is alive, it is not ready, and everything else is to come back later.
 *
 * @param missing what it waits for, as its `/readyz` names it later on: each check's name with what is wrong
 * @returns the listener, to be closed before the process itself listens
 * @throws what Node says of an address that cannot be listened on
 */
export async function answerWhileWaiting(
  where: { readonly host: string; readonly port: number },
  missing: Readonly<Record<string, string>>,
): Promise<FastifyInstance> {
  const server = fastify(listenerOptions());
  configureListener(server);
  // Before routing: no body is read, and no method is another's matter.
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
