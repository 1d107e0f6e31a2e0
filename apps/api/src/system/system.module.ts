import { DatabaseModule } from '#libs/database';
import { InstallationMetrics } from '#libs/observability';
import { Module } from '@nestjs/common';
import { CommandsModule } from '../resources/commands.module.js';
import { HealthModule } from '../resources/consumers/health/health.module.js';
import { StatusModule } from '../status/status.module.js';
import { InstallationFigures } from './queue/installation-figures.js';
import { QueueReadingService } from './queue/queue-reading.service.js';
import { QueueController } from './queue/queue.controller.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsService } from './reports/reports.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { StatsController } from './stats/stats.controller.js';
import { StatsService } from './stats/stats.service.js';

/** What describes the whole installation: its state and figures, reports and search; and the pause of all sending. */
@Module({
  imports: [DatabaseModule, CommandsModule, HealthModule, StatusModule],
  controllers: [QueueController, ReportsController, SearchController, StatsController],
  providers: [
    InstallationFigures,
    InstallationMetrics,
    QueueReadingService,
    ReportsService,
    SearchService,
    StatsService,
  ],
})
export class SystemModule {}
