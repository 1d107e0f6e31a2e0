import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryActionsController } from './delivery-actions.controller.js';
import { DeliveryActionsService } from './delivery-actions.service.js';

/** Deliveries and their attempts, read back, retried and cancelled. */
@Module({
  imports: [DispatchModule],
  controllers: [DeliveriesController, DeliveryActionsController],
  providers: [DeliveriesService, DeliveryActionsService],
})
export class DeliveriesModule {}
