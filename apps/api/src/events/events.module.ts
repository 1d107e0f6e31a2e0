import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { SendEventController } from './send-event.controller.js';
import { SendEventService } from './send-event.service.js';

/** Status changes: taken in, read back, and sent by hand. */
@Module({
  imports: [DispatchModule],
  controllers: [IngestController, EventsController, SendEventController],
  providers: [IngestService, EventsService, SendEventService],
})
export class EventsModule {}
