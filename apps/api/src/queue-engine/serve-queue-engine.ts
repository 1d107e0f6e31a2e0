import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import { DispatchQueue } from '#libs/queue';
import { createBullBoard } from '@bull-board/api';
import { FastifyAdapter } from '@bull-board/fastify';
import { HttpException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayActAs } from '../access/caller.js';
import { Callers } from '../access/callers.service.js';
import { TooManyRequestsError } from '../access/too-many-requests.js';
import { BodyRefusedError } from '../http/read-json.js';

const PATH = '/queue-engine';

/** Bull Board sets styles in its markup, and a base for its relative links. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ');

/** Its page asks another host for a font; the system's own does. */
const FOREIGN_LINK = /<link[^>]+href="https:[^>]*>/g;

/**
 * Bull Board under `/queue-engine`, for whoever may view: what the queue's engine itself holds, for the rare question
 * that the console's own screens leave open. It shows ids and timers, since jobs hold nothing else, and changes nothing.
 */
export function serveQueueEngine(app: NestFastifyApplication): void {
  const [callers, queue] = [app.get(Callers), app.get(DispatchQueue)];
  const board = new FastifyAdapter().setBasePath(PATH);
  createBullBoard({
    queues: queue.engineViews(),
    serverAdapter: board,
    options: {
      uiConfig: {
        boardTitle: 'Engine internals',
        miscLinks: [{ text: 'Back to the console', url: '/' }],
        hideRedisDetails: true,
      },
    },
  });

  void app
    .getHttpAdapter()
    .getInstance()
    .register(async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        const refusal = await refusalOf(request, callers, queue);
        if (refusal === null) return undefined;
        if (refusal.status === 401 && request.headers.accept?.includes('text/html') === true)
          return reply.redirect(`/sign-in?${new URLSearchParams({ to: request.url }).toString()}`);
        return refuse(reply, request, refusal);
      });
      // Bull Board's own handler makes a 500 of every refusal, and repeats what any error says.
      scope.addHook('onRoute', (route) => {
        route.errorHandler = (error, request, reply) => void refuse(reply, request, refusalFor(error));
      });
      scope.addHook('onSend', async (_request, reply, payload) => {
        void reply.headers({
          'content-security-policy': POLICY,
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        });
        return typeof payload === 'string' ? payload.replace(FOREIGN_LINK, '') : payload;
      });
      void scope.register(board.registerPlugin(), { prefix: PATH });
    });
}

interface Refusal {
  readonly status: number;
  readonly detail: string;
}

async function refusalOf(
  request: FastifyRequest,
  callers: Callers,
  queue: DispatchQueue,
): Promise<Refusal | null> {
  try {
    if (!mayActAs(await callers.callerOf(request), ['viewer']))
      return { status: 403, detail: 'This needs the role viewer.' };
  } catch (error) {
    const refusal = refusalFor(error);
    return refusal.status < 500 ? refusal : { status: 503, detail: 'The database is away.' };
  }
  const { method, url } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, detail: 'The engine is looked at here, and not changed.' };
  // BullMQ would wait for Redis without end.
  if (url.startsWith(`${PATH}/api`) && !queue.isReachable())
    return { status: 503, detail: 'The queue is away.' };
  return null;
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof HttpException) return { status: error.getStatus(), detail: error.message };
  if (error instanceof TooManyRequestsError || error instanceof BodyRefusedError)
    return { status: error.statusCode, detail: error.message };
  return { status: 500, detail: 'A fault of ours.' };
}

const refuse = (reply: FastifyReply, { id }: FastifyRequest, { status, detail }: Refusal): FastifyReply =>
  reply
    .status(status)
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem({ status, detail, requestId: id })));
