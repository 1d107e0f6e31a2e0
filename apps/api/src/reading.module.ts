import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AuditController } from './resources/audit/audit.controller.js';
import { NotificationsController } from './resources/notifications/notifications.controller.js';
import { NotificationsService } from './resources/notifications/notifications.service.js';
import { ReportsController } from './system/reports/reports.controller.js';
import { ReportsService } from './system/reports/reports.service.js';
import { SearchController } from './system/search/search.controller.js';
import { SearchService } from './system/search/search.service.js';
import { StatsController } from './system/stats/stats.controller.js';
import { StatsService } from './system/stats/stats.service.js';
import { TransactionsController } from './resources/payments/transactions.controller.js';
import { TransactionsService } from './resources/payments/transactions.service.js';

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
