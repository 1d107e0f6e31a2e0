import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { OperationsModule } from '../operations/operations.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryActionsController } from './delivery-actions.controller.js';

/** Deliveries and their attempts, read back, retried and cancelled. */
@Module({
  imports: [DatabaseModule, OperationsModule],
  controllers: [DeliveriesController, DeliveryActionsController],
  providers: [DeliveriesService],
})
export class DeliveriesModule {}
