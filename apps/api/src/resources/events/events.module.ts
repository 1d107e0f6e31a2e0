import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { OperationsModule } from '../../operations/operations.module.js';
import { EventActionsController } from './event-actions.controller.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

/** Reads accepted events, masked or in full, and sends them to more consumers for an operator. */
@Module({
  imports: [DatabaseModule, OperationsModule],
  controllers: [EventsController, EventActionsController],
  providers: [EventsService],
})
export class EventsModule {}
