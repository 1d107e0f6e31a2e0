import { DatabaseModule } from '#libs/database';
import { InstallationMetrics } from '#libs/observability';
import { Module } from '@nestjs/common';
import { OperationsModule } from '../../operations/operations.module.js';
import { QueueReadingService } from './queue-reading.service.js';
import { QueueController } from './queue.controller.js';
import { HealthModule } from '../../resources/consumers/health/health.module.js';
import { StatusModule } from '../status/status.module.js';
import { InstallationFigures } from './installation-figures.js';

/** The state of the whole dispatcher, and the pause of sending. */
@Module({
  imports: [DatabaseModule, HealthModule, OperationsModule, StatusModule],
  controllers: [QueueController],
  providers: [QueueReadingService, InstallationFigures, InstallationMetrics],
})
export class QueueStateModule {}
