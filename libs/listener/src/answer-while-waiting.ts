import { VERSION } from '#libs/contracts';
import { fastify, type FastifyInstance } from 'fastify';
import { configureListener, listenerOptions } from './configure-listener.js';
import { sendProblem } from './send-problem.js';

/** Value of the header, in seconds. */
const RETRY_AFTER = 5;

/**
 * Listens for a process that cannot start yet: reports it as alive but not ready; other requests are answered 503.
 *
 * @param missing the fault of each failing check, by the check's name in the later `/readyz`
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
        return reply.send({ status: 'ok', version: VERSION });
      case '/readyz':
        return reply.status(503).send({ status: 'unavailable', version: VERSION, checks: missing });
      default:
        void reply.header('retry-after', RETRY_AFTER);
        sendProblem(reply, {
          status: 503,
          detail: 'The process is starting. Nothing was done. Send the request again.',
          requestId: request.id,
        });
        return reply;
    }
  });
  await server.listen(where);
  return server;
}
