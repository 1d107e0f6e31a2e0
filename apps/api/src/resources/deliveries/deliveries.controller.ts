import { Body, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { InScope, type Scope } from '../../access/scope.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { OptionalReasonDto } from '../../http/reason.dto.js';
import { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { RetryDeliveryDto } from './delivery-actions.dto.js';
import { DeliveryCommands } from './delivery-commands.js';

/** Deliveries, and the actions on one of them. A consumer's own people see and resend their own. */
@Routes({ path: 'deliveries', tag: 'deliveries' })
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly commands: DeliveryCommands,
  ) {}

  /** List deliveries, newest first; a live view */
  @Get()
  @Allow('viewer', 'consumer')
  listDeliveries(@Query() query: DeliveriesQueryDto, @InScope() scope: Scope): Promise<DeliveryListDto> {
    return this.deliveries.list(query, scope);
  }

  /** Read a delivery with every attempt */
  @Get(':id')
  @Allow('viewer', 'consumer')
  @ApiOkResponse({ type: DeliveryDetailDto })
  readDelivery(@Id() id: string, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return this.deliveries.read(id, caller);
  }

  /**
   * Make a delivery due now
   * @remarks A dead or cancelled delivery becomes pending again, with a full retry schedule. A pause or an open
   * circuit of its consumer, or an earlier status of its payment, still holds it; `holdReason` shows which. The
   * notification id stays the same. What the bank has cancelled, a consumer’s own people cannot send again.
   */
  @Action(':id/retry')
  @Allow('oncall', 'consumer')
  @Refuses({
    409: 'It has been delivered and `force` is not set, its consumer is removed, its event is no longer kept, or the bank has cancelled it (`code` is `cancelled_by_bank`).',
  })
  async retryDelivery(
    @Id() id: string,
    @Body() body: RetryDeliveryDto,
    @CurrentActor() actor: Actor,
    @InScope() scope: Scope,
  ): Promise<DeliveryDto> {
    await this.commands.retry(id, { ...body, ...scope }, actor);
    return this.deliveries.summary(id, scope);
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
    await this.commands.cancel(id, body, actor);
    return this.deliveries.summary(id, {});
  }
}
