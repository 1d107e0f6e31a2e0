import { Body, Controller, Get, HttpCode, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
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

const NOT_FOUND = 'There is no such delivery.';

@Portal()
@Controller({ path: 'portal/deliveries', version: '1' })
export class PortalDeliveriesController {
  constructor(
    private readonly deliveries: PortalDeliveriesService,
    private readonly retryDelivery: RetryDelivery,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the caller’s own deliveries, newest first; a live view',
    operationId: 'listPortalDeliveries',
  })
  @ApiOkResponse({ type: PortalDeliveryListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(
    @OwnConsumer() consumerId: string,
    @Query() query: PortalDeliveriesQueryDto,
  ): Promise<PortalDeliveryListDto> {
    return this.deliveries.list(consumerId, query);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read an own delivery with its notification and every attempt',
    operationId: 'readPortalDelivery',
  })
  @ApiOkResponse({ type: PortalDeliveryDetailDto })
  @Refuses({ 404: NOT_FOUND })
  read(@OwnConsumer() consumerId: string, @Param('id', uuidParameter) id: string): Promise<StreamableFile> {
    return this.deliveries.read(consumerId, id);
  }

  @Post(':id/resend')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send an own delivery again, now',
    description:
      'A waiting one becomes due; a dead or settled one gets a full retry schedule. What the bank has cancelled cannot be ' +
      'sent, with or without `force`. The notification id stays the same. A pause, an open circuit or an earlier status of the payment still holds it; `holdReason` shows which.',
    operationId: 'resendPortalDelivery',
  })
  @ApiOkResponse({ type: PortalDeliveryDto })
  @Refuses({
    404: NOT_FOUND,
    409: 'It has been delivered and `force` is not set, its event is no longer kept, or the bank has cancelled it (`code` is `cancelled_by_bank`).',
    422: INVALID_CONTENT,
  })
  async resend(
    @OwnConsumer() consumerId: string,
    @Param('id', uuidParameter) id: string,
    @Body() body: ResendDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalDeliveryDto> {
    await this.retryDelivery.execute(id, { ...body, consumerId }, actor);
    return this.deliveries.summary(consumerId, id);
  }
}
