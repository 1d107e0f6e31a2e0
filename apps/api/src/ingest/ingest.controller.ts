import { AcceptedDto, BatchDto, BatchResultDto, StatusChangeDto } from '#libs/contracts';
import { readTraceparent } from '#libs/observability';
import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiHeader,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { PROBLEM_RESPONSE } from '../http/problem-response.js';
import { IngestService } from './ingest.service.js';

const AWAY = PROBLEM_RESPONSE(
  'PostgreSQL is away or too much changes at once; nothing is half-done. Send the same request again after `Retry-After`.',
);

const Traceparent = ApiHeader({
  name: 'traceparent',
  required: false,
  description:
    'The trace that the request belongs to (W3C Trace Context). It is passed on to the consumers; a malformed one is ignored.',
  schema: { type: 'string' },
});

/** Where the internal payment systems announce status changes. */
@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class IngestController {
  constructor(private readonly ingest: IngestService) {}

  @Post()
  @HttpCode(202)
  @Allow('producer')
  @ApiOperation({
    summary: 'Announce a status change',
    description:
      '202 means committed. The same key with the same content gets the same answer with `duplicate: true`; ' +
      'without a key the content itself is the key.',
    operationId: 'postEvent',
  })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Names the request within this producer, for 7 days.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  })
  @Traceparent
  @ApiAcceptedResponse({ type: AcceptedDto })
  @ApiBadRequestResponse(PROBLEM_RESPONSE('The body is no JSON, or the Idempotency-Key is malformed.'))
  @ApiConflictResponse(PROBLEM_RESPONSE('The Idempotency-Key was used with other content.'))
  @ApiPayloadTooLargeResponse(PROBLEM_RESPONSE('The body is larger than 256 KiB.'))
  @ApiUnsupportedMediaTypeResponse(PROBLEM_RESPONSE('The body is not application/json.'))
  @ApiUnprocessableEntityResponse(
    PROBLEM_RESPONSE('The content breaks the contract; `errors` names every field.'),
  )
  @ApiServiceUnavailableResponse(AWAY)
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

  @Post('batch')
  @HttpCode(202)
  @Allow('producer')
  @ApiOperation({
    summary:
      'Announce up to 500 status changes, accepted in their order; each one is accepted or rejected separately',
    operationId: 'postEventBatch',
  })
  @Traceparent
  @ApiAcceptedResponse({ type: BatchResultDto })
  @ApiBadRequestResponse(PROBLEM_RESPONSE('The body is no JSON.'))
  @ApiPayloadTooLargeResponse(PROBLEM_RESPONSE('The body is larger than 5 MiB.'))
  @ApiUnsupportedMediaTypeResponse(PROBLEM_RESPONSE('The body is not application/json.'))
  @ApiUnprocessableEntityResponse(PROBLEM_RESPONSE('`events` is not an array of 1 to 500.'))
  @ApiServiceUnavailableResponse(AWAY)
  postBatch(
    @Body() batch: BatchDto,
    @CurrentCaller() caller: Caller,
    @Headers('traceparent') traceparent?: string,
  ): Promise<BatchResultDto> {
    return this.ingest.batch(batch, { producer: caller.name, traceparent: readTraceparent(traceparent) });
  }
}
