import { DispatchModule } from '#libs/dispatch';
import { InstallationMetrics } from '#libs/observability';
import { Module } from '@nestjs/common';
import { QueueReadingService } from './queue-reading.service.js';
import { QueueController } from './queue.controller.js';
import { StatusModule } from '../status/status.module.js';
import { InstallationFigures } from './installation-figures.js';

/** The whole queue, as on-call staff handle it. */
@Module({
  imports: [DispatchModule, StatusModule],
  controllers: [QueueController],
  providers: [QueueReadingService, InstallationFigures, InstallationMetrics],
})
export class QueueModule {}
