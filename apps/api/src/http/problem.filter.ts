import type { FieldFault } from '#libs/contracts';
import { isUnavailable, isTooSlow, isTransient } from '#libs/database';
import { sendProblem, statusOf } from '#libs/listener';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import {
  Catch,
  HttpException,
  Inject,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TooManyRequestsError } from './too-many-requests.js';
import { ConflictWithFields } from './conflict.js';
import { isIngest } from './ingest-request.js';
import { BodyRefusedError } from './read-json.js';
import { InvalidContentError, InvalidQueryError } from './invalid-input.js';

/** `Retry-After`, in seconds, when PostgreSQL is unreachable or too many requests are being processed. */
const RETRY_AFTER_SECONDS = 2;

interface Answer {
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldFault[];
  readonly matched?: number | null;
  readonly code?: 'cancelled_by_bank';
}

/** Replaces Nest's message, which contains the URL, whose query may contain an account number. */
const NO_ROUTE: Answer = { status: 404, detail: 'There is no such route.' };

/** Answers every error with a problem (RFC 9457). An unknown error is internal and gets an answer without details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const answer = refusalOf(error, request) ?? answerOf(error);
    if (hasDisconnected(request)) {
      this.logger.debug({ requestId: request.id, route: request.routeOptions.url }, 'request.aborted');
    } else if (answer.status >= 500 && !(error instanceof TooManyRequestsError))
      this.report(error, request, answer.status);
    if (error instanceof TooManyRequestsError) this.metrics.rateLimited.inc({ limit: error.limit });
    if (answer.status === 503 || answer.status === 429)
      void reply.header(
        'retry-after',
        error instanceof TooManyRequestsError ? error.retryAfterSeconds : RETRY_AFTER_SECONDS,
      );
    if (answer.status === 401) void reply.header('www-authenticate', 'Bearer');
    sendProblem(reply, { ...answer, requestId: request.id });
  }

  private report(error: unknown, request: FastifyRequest, status: number): void {
    this.metrics.internalFaults.inc({ step: 'request' });
    this.logger.error(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status,
        fault: faultText(error),
        stack: status === 500 && error instanceof Error ? error.stack : undefined,
      },
      'request.failed',
    );
  }
}

/** A query took too long. The database is healthy, and the caller can narrow the filter. */
const TOO_SLOW: Answer = {
  status: 504,
  detail:
    'The query took too long. Narrow the filter: a shorter time from `from` to `to`, one consumer, one payment.',
};

/** A rolled-back conflict: usually SQLSTATE 55P03, while a migration or manual maintenance holds a lock. */
const LOCKED: Answer = {
  status: 503,
  detail:
    'Another operation holds a lock on the requested data. Send the request again; a narrower filter does not help.',
};

/** No connection was free in time: lists share few connections, or PostgreSQL is unreachable. */
const BUSY: Answer = {
  status: 503,
  detail: 'The database is unreachable, or busy with other lists. Send the request again.',
};

/** For requests that are not recognized when they are repeated: all changes except posted events. */
const RESULT_UNKNOWN: Answer = {
  status: 503,
  detail:
    'The database is unreachable, and the change may or may not have been made. Check before you repeat it.',
};

/** Whether the connection broke before the request was complete. No client waits; this is not an internal error. */
const hasDisconnected = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Answers that depend on both the request and the error. */
function refusalOf(error: unknown, request: FastifyRequest): Answer | null {
  if (request.is404 && error instanceof NotFoundException) return NO_ROUTE;
  if (isTransient(error)) return LOCKED;
  if (request.method !== 'GET') {
    return isUnavailable(error) && !isIngest(request) ? RESULT_UNKNOWN : null;
  }
  if (isTooSlow(error)) return TOO_SLOW;
  return isUnavailable(error) ? BUSY : null;
}

function answerOf(error: unknown): Answer {
  if (error instanceof InvalidContentError)
    return { status: 422, detail: error.message, errors: error.faults };
  if (error instanceof InvalidQueryError) return { status: 400, detail: error.message, errors: error.faults };
  if (error instanceof ConflictWithFields) return { status: 409, detail: error.message, ...error.fields };
  if (error instanceof TooManyRequestsError) return { status: error.statusCode, detail: error.message };
  if (isUnavailable(error)) {
    return {
      status: 503,
      detail:
        'The database is unreachable. Send the same request again: events that were accepted are recognised.',
    };
  }
  const status = statusOf(error);
  if (status === 415 && !(error instanceof BodyRefusedError))
    return { status, detail: 'Send the body as application/json.' };
  if (status !== undefined && error instanceof HttpException) return { status, detail: error.message };
  if (status !== undefined && status < 500 && error instanceof Error)
    return { status, detail: error.message };
  return { status: 500, detail: 'An internal error. It is logged under this requestId.' };
}
