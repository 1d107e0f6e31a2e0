import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { CurrentCaller, type Caller } from '../../../access/caller.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';
import { FailureListDto, FailuresQueryDto } from './failures.dto.js';
import { FailuresService } from './failures.service.js';
import { TestConsumerDto, TestDeliveryDto } from './test-delivery.dto.js';
import { TestConsumer } from './test-consumer.js';
import { testDeliveryView } from './test-delivery-view.js';

const NOT_FOUND = 'There is no such consumer.';

/** Test deliveries, and the causes of failed attempts. */
@ApiTags('consumers')
@Controller({ path: 'consumers/:id', version: '1' })
export class DiagnosisController {
  constructor(
    private readonly testConsumer: TestConsumer,
    private readonly failures: FailuresService,
  ) {}

  @Post('test')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Send a test delivery now',
    description:
      'Sends a marked sample, whose ids begin with `TEST-`, signed like every notification. It is not a delivery: ' +
      'it is not stored, retried or held, and a paused consumer gets it too. Returns the consumer’s response.',
    operationId: 'testConsumer',
  })
  @ApiOkResponse({ type: TestDeliveryDto })
  @Refuses({
    404: NOT_FOUND,
    409: 'There is no coming version to test, or the credentials cannot be decrypted.',
    422: INVALID_CONTENT,
    503: 'This process cannot send at the moment, or PostgreSQL is unreachable.',
  })
  async test(
    @Param('id', uuidParameter) id: string,
    @Body() body: TestConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<TestDeliveryDto> {
    return testDeliveryView(await this.testConsumer.execute(id, body, actor));
  }

  @Get('failures')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Recent failures by cause, with advice',
    description:
      'Evaluates the newest failed attempts of the period, at most 5,000. For `oncall`, the advice on a refusal ' +
      'begins with a quotation of the consumer’s response.',
    operationId: 'listFailures',
  })
  @ApiOkResponse({ type: FailureListDto })
  @Refuses({ 400: INVALID_PARAMETER, 404: NOT_FOUND })
  listFailures(
    @Param('id', uuidParameter) id: string,
    @Query() query: FailuresQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<FailureListDto> {
    return this.failures.list(id, query, caller);
  }
}
