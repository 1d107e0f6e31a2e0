import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';

/** Status changes: taken in, and read back. */
@Module({
  imports: [DispatchModule],
  controllers: [IngestController, EventsController],
  providers: [IngestService, EventsService],
})
export class EventsModule {}
