import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDetailDto, DeliveryListDto } from './delivery.dto.js';

/** Reads deliveries. */
@ApiTags('deliveries')
@Controller({ path: 'deliveries', version: '1' })
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List deliveries, newest first; a live view', operationId: 'listDeliveries' })
  @ApiOkResponse({ type: DeliveryListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: DeliveriesQueryDto): Promise<DeliveryListDto> {
    return this.deliveries.list(query);
  }

  @Get(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'Read a delivery with every attempt', operationId: 'readDelivery' })
  @ApiOkResponse({ type: DeliveryDetailDto })
  @Refuses({ 404: 'There is no such delivery.' })
  read(@Param('id', uuidParameter) id: string, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return this.deliveries.read(id, caller);
  }
}
