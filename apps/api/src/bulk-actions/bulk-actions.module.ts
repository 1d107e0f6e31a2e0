import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { BulkActionsController } from './bulk-actions.controller.js';
import { BulkActionsService } from './bulk-actions.service.js';

/** One action on many deliveries. */
@Module({
  imports: [DispatchModule],
  controllers: [BulkActionsController],
  providers: [BulkActionsService],
})
export class BulkActionsModule {}
