import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { QueueController } from './queue.controller.js';

/** The whole queue, as on-call staff handle it. */
@Module({ imports: [DispatchModule], controllers: [QueueController] })
export class QueueModule {}
