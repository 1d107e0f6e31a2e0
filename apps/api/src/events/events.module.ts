import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { OperationsModule } from '../operations/operations.module.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { SendEventController } from './send-event.controller.js';

/** Events read back, and sent to more consumers by an operator. */
@Module({
  imports: [DatabaseModule, OperationsModule],
  controllers: [EventsController, SendEventController],
  providers: [EventsService],
})
export class EventsModule {}
