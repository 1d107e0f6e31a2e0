import { Body, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { Action, Id, Refuses } from '../../http/routes.js';
import { RetryDelivery } from './retry-delivery.js';
import { OwnConsumer } from '../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../access/portal/portal-route.decorator.js';
import {
  PortalDeliveriesQueryDto,
  PortalDeliveryDetailDto,
  PortalDeliveryDto,
  PortalDeliveryListDto,
  ResendDto,
} from './portal-delivery.dto.js';
import { PortalDeliveriesService } from './portal-deliveries.service.js';

@Portal('deliveries')
export class PortalDeliveriesController {
  constructor(
    private readonly deliveries: PortalDeliveriesService,
    private readonly retryDelivery: RetryDelivery,
  ) {}

  /** List the caller’s own deliveries, newest first; a live view */
  @Get()
  listPortalDeliveries(
    @OwnConsumer() consumerId: string,
    @Query() query: PortalDeliveriesQueryDto,
  ): Promise<PortalDeliveryListDto> {
    return this.deliveries.list(consumerId, query);
  }

  /** Read an own delivery with its notification and every attempt */
  @Get(':id')
  @ApiOkResponse({ type: PortalDeliveryDetailDto })
  readPortalDelivery(@OwnConsumer() consumerId: string, @Id() id: string): Promise<StreamableFile> {
    return this.deliveries.read(consumerId, id);
  }

  /**
   * Send an own delivery again, now
   * @remarks A waiting one becomes due; a dead or settled one gets a full retry schedule. What the bank has cancelled
   * cannot be sent, with or without `force`. The notification id stays the same. A pause, an open circuit or an
   * earlier status of the payment still holds it; `holdReason` shows which.
   */
  @Action(':id/resend')
  @Refuses({
    409: 'It has been delivered and `force` is not set, its event is no longer kept, or the bank has cancelled it (`code` is `cancelled_by_bank`).',
  })
  async resendPortalDelivery(
    @OwnConsumer() consumerId: string,
    @Id() id: string,
    @Body() body: ResendDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalDeliveryDto> {
    await this.retryDelivery.execute(id, { ...body, consumerId }, actor);
    return this.deliveries.summary(consumerId, id);
  }
}
