import { Body, Get, Query } from '@nestjs/common';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { CurrentCaller, type Caller } from '../../../access/caller.js';
import { PortalLimits } from '../../../access/portal-limits.service.js';
import { InScope, type Scope } from '../../../access/scope.js';
import { Action, Id, Refuses, Routes } from '../../../http/routes.js';
import { FailureListDto, FailuresQueryDto } from './failures.dto.js';
import { FailuresService } from './failures.service.js';
import { TestConsumerDto, TestDeliveryDto } from './test-delivery.dto.js';
import { TestConsumer } from './test-consumer.js';
import { testDeliveryView } from './test-delivery-view.js';

/** Test deliveries, and the causes of failed attempts. */
@Routes({ path: 'consumers/:id', tag: 'consumers' })
export class DiagnosisController {
  constructor(
    private readonly test: TestConsumer,
    private readonly failures: FailuresService,
    private readonly limits: PortalLimits,
  ) {}

  /**
   * Send a test delivery now
   * @remarks Sends a marked sample, whose ids begin with `TEST-`, signed like every notification. It is not a
   * delivery: it is not stored, retried or held, and a paused consumer gets it too. Returns the consumer’s response. A
   * consumer’s own people send one at a time, and at most 6 in a minute.
   */
  @Action('test')
  @Allow('oncall', 'consumer')
  @Refuses({
    409: 'There is no coming version to test, the credentials cannot be decrypted, or a test of the consumer’s own people is under way.',
    503: 'This process cannot send at the moment, or PostgreSQL is unreachable.',
  })
  async testConsumer(
    @Id() id: string,
    @Body() body: TestConsumerDto,
    @CurrentActor() actor: Actor,
    @InScope() scope: Scope,
  ): Promise<TestDeliveryDto> {
    const send = () => this.test.execute(id, body, actor);
    const tested = await (scope.consumerId === undefined ? send() : this.limits.test(id, send));
    return testDeliveryView(tested, scope);
  }

  /**
   * Recent failures by cause, with advice
   * @remarks Evaluates the newest failed attempts of the period, at most 5,000. For `oncall`, the advice on a refusal
   * begins with a quotation of the consumer’s response.
   */
  @Get('failures')
  @Allow('viewer', 'consumer')
  listFailures(
    @Id() id: string,
    @Query() query: FailuresQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<FailureListDto> {
    return this.failures.list(id, query, caller);
  }
}
