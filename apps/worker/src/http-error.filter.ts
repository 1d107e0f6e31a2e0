import { sendProblem, statusOf } from '#libs/listener';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { Catch, Inject, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a worker refuses is a problem (RFC 9457), as at the api: it takes the platform's questions and no other. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const { id } = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const answer = refusalOf(error);
    if (answer.status >= 500) this.logger.error({ requestId: id, fault: faultText(error) }, 'request failed');
    sendProblem(reply, { ...answer, requestId: id });
  }
}

function refusalOf(error: unknown): { status: number; detail: string } {
  if (error instanceof NotFoundException) return { status: 404, detail: 'There is no such route.' };
  const status = statusOf(error);
  if (status === 415) return { status, detail: 'No body is taken here.' };
  if (status !== undefined && status < 500) return { status, detail: faultText(error) };
  return { status: 500, detail: 'A fault of ours. It is logged under this requestId.' };
}
