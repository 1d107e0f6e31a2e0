import { Readable } from 'node:stream';
import { faultText, type Logger, type Metrics } from '#libs/observability';
import { ServiceUnavailableException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { RequestWithCaller } from './caller.js';
import { TooManyRequestsError } from '../http/too-many-requests.js';

/** Maximum open streamed answers per caller, and of all callers together; each uses about 1.5 MB of memory. */
const MOST_OF_ONE_CALLER = 100;
const MOST_TOGETHER = 200;

/**
 * Limits the number of open streamed answers, since a client may read one very slowly. Logs once each answer that
 * ends early: its status is already sent, so no exception filter can handle the error, and Fastify closes the
 * connection. A client that disconnects is not an internal error.
 */
export function watchOpenAnswers(server: FastifyInstance, logger: Logger, metrics: Metrics): void {
  const open = new Map<string, number>();
  let together = 0;
  server.addHook('onSend', async (request: RequestWithCaller, _reply, payload) => {
    // A stream without a caller is a file of the console. A closed stream emits no `close` that would end its count.
    if (!(payload instanceof Readable) || request.caller === undefined || payload.closed) return;
    const caller = request.caller.consumerId ?? request.caller.name;
    const ofCaller = open.get(caller) ?? 0;
    if (ofCaller >= MOST_OF_ONE_CALLER || together >= MOST_TOGETHER) {
      payload.destroy();
      throw ofCaller >= MOST_OF_ONE_CALLER
        ? new TooManyRequestsError('open_lists', 1_000, TOO_MANY_OF_ONE)
        : new ServiceUnavailableException('Too many lists are being sent. Send the request again.');
    }
    open.set(caller, ofCaller + 1);
    together += 1;
    const ids = { requestId: request.id, method: request.method, route: request.routeOptions.url };
    payload.once('error', (fault) => {
      metrics.internalFaults.inc({ step: 'request' });
      logger.error({ ...ids, fault: faultText(fault) }, 'answer.aborted');
    });
    payload.once('close', () => {
      together -= 1;
      const left = (open.get(caller) ?? 1) - 1;
      if (left === 0) open.delete(caller);
      else open.set(caller, left);
      if (!payload.readableEnded && payload.errored === null) logger.debug(ids, 'answer.abandoned');
    });
  });
}

const TOO_MANY_OF_ONE = `This caller has ${String(MOST_OF_ONE_CALLER)} lists open. Read one to its end before asking for another.`;
