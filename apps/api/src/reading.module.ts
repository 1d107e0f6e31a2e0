import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AuditController } from './audit/audit.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NotificationsService } from './notifications/notifications.service.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsService } from './reports/reports.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { StatsController } from './stats/stats.controller.js';
import { StatsService } from './stats/stats.service.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { TransactionsService } from './transactions/transactions.service.js';

/** Routes that only read the database: payments, notifications, statistics, reports, search and the audit log. */
@Module({
  imports: [DatabaseModule],
  controllers: [
    AuditController,
    NotificationsController,
    ReportsController,
    SearchController,
    StatsController,
    TransactionsController,
  ],
  providers: [NotificationsService, ReportsService, SearchService, StatsService, TransactionsService],
})
export class ReadingModule {}
