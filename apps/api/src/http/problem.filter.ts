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

/** Seconds after which to try again when PostgreSQL is away, or too much is under way. */
const RETRY_AFTER_SECONDS = 2;

interface Answer {
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldFault[];
  readonly matched?: number | null;
}

/** Nest's own words repeat the URL, whose query may hold an account number. */
const NO_ROUTE: Answer = { status: 404, detail: 'There is no such route.' };

/** Every error leaves as a problem (RFC 9457). What is not a known refusal is a fault of ours and says no more than that. */
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
      this.logger.debug({ requestId: request.id, route: request.routeOptions.url }, 'client hung up');
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
      'request failed',
    );
  }
}

/** What a list looks for without end: the caller can help, and the database is well. */
const TOO_SLOW: Answer = {
  status: 504,
  detail:
    'It took too long to find. Narrow the filter: a shorter time from `from` to `to`, one consumer, one payment.',
};

/** A lost race, rolled back: as a rule 55P03 (SQLSTATE), while a migration or maintenance by hand has a lock. */
const LOCKED: Answer = {
  status: 503,
  detail: 'Another operation holds a lock on what was asked for. Ask again; a narrower filter does not help.',
};

/** Lists have few connections of their own: whoever gets none of them waits for the others, or for PostgreSQL. */
const BUSY: Answer = { status: 503, detail: 'The database is away, or busy with other lists. Ask again.' };

/** Only what a producer sends is recognised when it comes again. */
const MAY_BE_DONE: Answer = {
  status: 503,
  detail: 'The database is away, and this may have been done or not. Look before you repeat it.',
};

/** The connection broke before the whole request was there: nobody waits for an answer, and it is no fault of ours. */
const hungUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** What the request, beside the error, decides. */
function refusalOf(error: unknown, request: FastifyRequest): Answer | null {
  if (request.is404 && error instanceof NotFoundException) return NO_ROUTE;
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return {
      status: 413,
      detail: `The body is larger than ${String(request.routeOptions.bodyLimit / 1024)} KiB.`,
    };
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
      detail: 'The database is away. Send the same request again: what was accepted is found again.',
    };
  }
  const status = statusOf(error);
  if (status === 415 && !(error instanceof BodyRefusedError))
    return { status, detail: 'Send the body as application/json.' };
  if (status !== undefined && error instanceof HttpException) return { status, detail: error.message };
  if (status !== undefined && status < 500 && error instanceof Error)
    return { status, detail: error.message };
  return { status: 500, detail: 'A fault of ours. It is logged under this requestId.' };
}
