import { DatabaseModule } from '#libs/database';
import { InstallationMetrics } from '#libs/observability';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { HealthModule } from '../resources/consumers/health/health.module.js';
import { StatusModule } from '../status/status.module.js';
import { InstallationFigures } from './overview/installation-figures.js';
import { OverviewService } from './overview/overview.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsService } from './reports/reports.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { StatsController } from './stats/stats.controller.js';
import { StatsService } from './stats/stats.service.js';

/** What describes the whole installation: its state and figures, reports and search. */
@Module({
  imports: [AccessModule, DatabaseModule, HealthModule, StatusModule],
  controllers: [OverviewController, ReportsController, SearchController, StatsController],
  providers: [
    InstallationFigures,
    InstallationMetrics,
    OverviewService,
    ReportsService,
    SearchService,
    StatsService,
  ],
})
export class SystemModule {}
