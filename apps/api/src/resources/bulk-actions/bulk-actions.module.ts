import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { OperationsModule } from '../../operations/operations.module.js';
import { BulkActionsController } from './bulk-actions.controller.js';
import { BulkActionsService } from './bulk-actions.service.js';

/** Bulk actions: one operator command on many deliveries. */
@Module({
  imports: [DatabaseModule, OperationsModule],
  controllers: [BulkActionsController],
  providers: [BulkActionsService],
})
export class BulkActionsModule {}
