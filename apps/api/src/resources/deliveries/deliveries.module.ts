import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { OperationsModule } from '../../operations/operations.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryActionsController } from './delivery-actions.controller.js';

/** Reads deliveries with their attempts, retries and cancels deliveries. */
@Module({
  imports: [DatabaseModule, OperationsModule],
  controllers: [DeliveriesController, DeliveryActionsController],
  providers: [DeliveriesService],
})
export class DeliveriesModule {}
