import { sendProblem, statusOf } from '#libs/listener';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { Catch, Inject, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers errors with a problem (RFC 9457), as the api does. A worker serves /livez, /readyz and /metrics only. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const { id } = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const answer = refusalOf(error);
    if (answer.status >= 500) this.logger.error({ requestId: id, fault: faultText(error) }, 'request.failed');
    sendProblem(reply, { ...answer, requestId: id });
  }
}

function refusalOf(error: unknown): { status: number; detail: string } {
  if (error instanceof NotFoundException) return { status: 404, detail: 'There is no such route.' };
  const status = statusOf(error);
  if (status === 415) return { status, detail: 'This route accepts no body.' };
  if (status !== undefined && status < 500) return { status, detail: faultText(error) };
  return { status: 500, detail: 'An internal error. It is logged with this requestId.' };
}
