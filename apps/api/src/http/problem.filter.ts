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
import { TooManyRequestsError } from '../access/too-many-requests.js';
import { MoreMatchError } from '../bulk-actions/more-match.js';
import { isIngest } from './ingest-request.js';
import { BodyRefusedError } from './read-json.js';
import { InvalidContentError, InvalidQueryError } from './invalid-input.js';

/** Seconds after which to try again when PostgreSQL is unreachable, or too much is under way. */
const RETRY_AFTER_SECONDS = 2;

interface Answer {
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldFault[];
  readonly matched?: number | null;
}

/** Nest's own words repeat the URL, whose query may hold an account number. */
const NO_ROUTE: Answer = { status: 404, detail: 'There is no such route.' };

/** Every error leaves as a problem (RFC 9457). An error that is not a known refusal is an internal error, and its answer gives no details. */
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
    if (hungUp(request)) {
      this.logger.debug({ requestId: request.id, route: request.routeOptions.url }, 'request.aborted');
    } else if (answer.status >= 500) this.report(error, request, answer.status);
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

/** A search that takes too long: the caller can narrow it, and the database is healthy. */
const TOO_SLOW: Answer = {
  status: 504,
  detail:
    'The query took too long. Narrow the filter: a shorter time from `from` to `to`, one consumer, one payment.',
};

/** A lost race, rolled back: as a rule 55P03 (SQLSTATE), while a migration or manual maintenance holds a lock. */
const LOCKED: Answer = {
  status: 503,
  detail: 'Another operation holds a lock on what was asked for. Ask again; a narrower filter does not help.',
};

/** Lists share few connections: a list that gets none waits for the others, or for PostgreSQL. */
const BUSY: Answer = {
  status: 503,
  detail: 'The database is unreachable, or busy with other lists. Ask again.',
};

/** Only a producer's events are recognised when they are sent again. */
const MAY_BE_DONE: Answer = {
  status: 503,
  detail: 'The database is unreachable, and this may have been done or not. Check before you repeat it.',
};

/** The connection broke before the whole request was there: no client waits for an answer, and it is not an internal error. */
const hungUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** The answers that depend on the request as well as on the error. */
function refusalOf(error: unknown, request: FastifyRequest): Answer | null {
  if (request.is404 && error instanceof NotFoundException) return NO_ROUTE;
  if (isTransient(error)) return LOCKED;
  if (request.method !== 'GET') {
    return isUnavailable(error) && !isIngest(request) ? MAY_BE_DONE : null;
  }
  if (isTooSlow(error)) return TOO_SLOW;
  return isUnavailable(error) ? BUSY : null;
}

function answerOf(error: unknown): Answer {
  if (error instanceof InvalidContentError)
    return { status: 422, detail: error.message, errors: error.faults };
  if (error instanceof InvalidQueryError) return { status: 400, detail: error.message, errors: error.faults };
  if (error instanceof MoreMatchError) return { status: 409, detail: error.message, matched: error.matched };
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
