import { Body, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { OptionalReasonDto } from '../../http/reason.dto.js';
import { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { RetryDeliveryDto } from './delivery-actions.dto.js';
import { CancelDelivery } from './cancel-delivery.js';
import { RetryDelivery } from './retry-delivery.js';

/** Deliveries, and the actions of on-call staff on one of them. */
@Routes({ path: 'deliveries', tag: 'deliveries' })
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly retry: RetryDelivery,
    private readonly cancel: CancelDelivery,
  ) {}

  /** List deliveries, newest first; a live view */
  @Get()
  @Allow('viewer')
  listDeliveries(@Query() query: DeliveriesQueryDto): Promise<DeliveryListDto> {
    return this.deliveries.list(query);
  }

  /** Read a delivery with every attempt */
  @Get(':id')
  @Allow('viewer')
  @ApiOkResponse({ type: DeliveryDetailDto })
  readDelivery(@Id() id: string, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return this.deliveries.read(id, caller);
  }

  /**
   * Make a delivery due now
   * @remarks A dead or cancelled delivery becomes pending again, with a full retry schedule. A pause or an open
   * circuit of its consumer, or an earlier status of its payment, still holds it; `holdReason` shows which.
   */
  @Action(':id/retry')
  @Allow('oncall')
  @Refuses({
    409: 'It has been delivered and `force` is not set, its consumer is removed, or its event is no longer kept.',
  })
  async retryDelivery(
    @Id() id: string,
    @Body() body: RetryDeliveryDto,
    @CurrentActor() actor: Actor,
  ): Promise<DeliveryDto> {
    await this.retry.execute(id, body, actor);
    return this.deliveries.summary(id);
  }

  /**
   * Finish a delivery without sending it
   * @remarks A later status that waited for it is released. An attempt in flight is recorded; if it is acknowledged,
   * the delivery becomes delivered. So does a delivery that had been delivered before it was sent again. A dead
   * delivery is no longer listed as dead; a cancelled one does not change.
   */
  @Action(':id/cancel')
  @Allow('oncall')
  @Refuses({ 409: 'It has already been delivered.' })
  async cancelDelivery(
    @Id() id: string,
    @Body() body: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<DeliveryDto> {
    await this.cancel.execute(id, body, actor);
    return this.deliveries.summary(id);
  }
}
