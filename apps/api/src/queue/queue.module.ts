import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { QueueReadingService } from './queue-reading.service.js';
import { QueueController } from './queue.controller.js';

/** The whole queue, as on-call staff handle it. */
@Module({ imports: [DispatchModule], controllers: [QueueController], providers: [QueueReadingService] })
export class QueueModule {}
