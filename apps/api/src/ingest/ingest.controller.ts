import { AcceptedDto, BatchDto, BatchResultDto, StatusChangeDto } from '#libs/contracts';
import { readTraceparent } from '#libs/observability';
import { Body, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Refuses, Routes } from '../http/routes.js';
import { IngestService } from './ingest.service.js';

const AWAY =
  'PostgreSQL is unreachable or there are too many concurrent changes; nothing is half-done. Send the same request again after `Retry-After`.';

const Traceparent = ApiHeader({
  name: 'traceparent',
  required: false,
  description:
    'The trace that the request belongs to (W3C Trace Context). It is passed on to the consumers; a malformed one is ignored.',
  schema: { type: 'string' },
});

/** Endpoints for the internal payment systems, which post status changes. */
@Routes({ path: 'events', tag: 'events' })
export class IngestController {
  constructor(private readonly ingest: IngestService) {}

  /**
   * Announce a status change
   * @remarks 202 means committed. The same key with the same content gets the same answer with `duplicate: true`;
   * without a key the content itself is the key.
   */
  @Post()
  @HttpCode(202)
  @Allow('producer')
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Names the request within this producer, for 7 days.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  })
  @Traceparent
  @Refuses({
    400: 'The body is no JSON, or the Idempotency-Key is malformed.',
    409: 'The Idempotency-Key was used with other content.',
    413: 'The body is larger than 256 KiB.',
    415: 'The body is not application/json.',
    422: 'The content breaks the contract; `errors` names every field.',
    503: AWAY,
  })
  postEvent(
    @Body() change: StatusChangeDto,
    @CurrentCaller() caller: Caller,
    @Headers('Idempotency-Key') idempotencyKey?: string,
    @Headers('traceparent') traceparent?: string,
  ): Promise<AcceptedDto> {
    return this.ingest.one(
      change,
      { producer: caller.name, traceparent: readTraceparent(traceparent) },
      idempotencyKey,
    );
  }

  /** Announce up to 500 status changes, accepted in their order; each one is accepted or rejected separately */
  @Post('batch')
  @HttpCode(202)
  @Allow('producer')
  @Traceparent
  @Refuses({
    400: 'The body is no JSON.',
    413: 'The body is larger than 5 MiB.',
    415: 'The body is not application/json.',
    422: '`events` is not an array of 1 to 500.',
    503: AWAY,
  })
  postEventBatch(
    @Body() batch: BatchDto,
    @CurrentCaller() caller: Caller,
    @Headers('traceparent') traceparent?: string,
  ): Promise<BatchResultDto> {
    return this.ingest.batch(batch, { producer: caller.name, traceparent: readTraceparent(traceparent) });
  }
}
