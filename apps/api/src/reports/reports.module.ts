import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';

/** What was sent in a time, consumer by consumer. */
@Module({ imports: [DatabaseModule], controllers: [ReportsController], providers: [ReportsService] })
export class ReportsModule {}
