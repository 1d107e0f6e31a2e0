import { Readable } from 'node:stream';
import { faultText, type Logger, type Metrics } from '#libs/observability';
import type { FastifyInstance } from 'fastify';

/**
 * Logs a streamed answer that ends early, once. Its status is already sent, so no exception filter can answer it; Fastify
 * cuts the connection. A client that leaves is no fault of ours.
 */
export function reportBrokenAnswers(server: FastifyInstance, logger: Logger, metrics: Metrics): void {
  server.addHook('onSend', async (request, _reply, payload) => {
    if (!(payload instanceof Readable)) return;
    const ids = { requestId: request.id, method: request.method, route: request.routeOptions.url };
    payload.once('error', (fault) => {
      metrics.internalFaults.inc({ step: 'request' });
      logger.error({ ...ids, fault: faultText(fault) }, 'an answer broke off in the middle');
    });
    payload.once('close', () => {
      if (!payload.readableEnded && payload.errored === null)
        logger.debug(ids, 'the client left in the middle of its answer');
    });
  });
}
