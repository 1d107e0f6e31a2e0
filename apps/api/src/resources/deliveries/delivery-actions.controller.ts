import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { OptionalReasonDto } from '../../http/optional-reason.dto.js';
import { INVALID_CONTENT, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { RetryDeliveryDto } from './delivery-actions.dto.js';
import { CancelDelivery } from './cancel-delivery.js';
import { RetryDelivery } from './retry-delivery.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto } from './delivery.dto.js';

const NOT_FOUND = 'There is no such delivery.';

/** Actions of on-call staff on one delivery. */
@ApiTags('deliveries')
@Controller({ path: 'deliveries', version: '1' })
export class DeliveryActionsController {
  constructor(
    private readonly retryDelivery: RetryDelivery,
    private readonly cancelDelivery: CancelDelivery,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Post(':id/retry')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Make a delivery due now',
    description:
      'A dead or cancelled delivery becomes pending again, with a full retry schedule. A pause or an open circuit ' +
      'of its consumer, or an earlier status of its payment, still holds it; `holdReason` shows which.',
    operationId: 'retryDelivery',
  })
  @ApiOkResponse({ type: DeliveryDto })
  @Refuses({
    404: NOT_FOUND,
    409: 'It has been delivered and `force` is not set, its consumer is removed, or its event is no longer kept.',
    422: INVALID_CONTENT,
  })
  async retry(
    @Param('id', uuidParameter) id: string,
    @Body() body: RetryDeliveryDto,
    @CurrentActor() actor: Actor,
  ): Promise<DeliveryDto> {
    await this.retryDelivery.execute(id, body, actor);
    return this.deliveries.summary(id);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Finish a delivery without sending it',
    description:
      'A later status that waited for it is released. An attempt in flight is recorded; if it is acknowledged, the ' +
      'delivery becomes delivered. So does a delivery that had been delivered before it was sent again. A dead ' +
      'delivery is no longer listed as dead; a cancelled one does not change.',
    operationId: 'cancelDelivery',
  })
  @ApiOkResponse({ type: DeliveryDto })
  @Refuses({ 404: NOT_FOUND, 409: 'It has already been delivered.', 422: INVALID_CONTENT })
  async cancel(
    @Param('id', uuidParameter) id: string,
    @Body() body: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<DeliveryDto> {
    await this.cancelDelivery.execute(id, body, actor);
    return this.deliveries.summary(id);
  }
}
