import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';

/** Deliveries and their attempts, read back. */
@Module({ imports: [DatabaseModule], controllers: [DeliveriesController], providers: [DeliveriesService] })
export class DeliveriesModule {}
