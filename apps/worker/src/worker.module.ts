import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { DeliveryProcessor } from './delivery/delivery.processor.js';

/** Delivers: consumes the queue and keeps it in line with PostgreSQL. */
@Module({ imports: [DispatchModule], providers: [DeliveryProcessor] })
export class WorkerModule {}
