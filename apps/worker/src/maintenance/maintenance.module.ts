import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { SendingModule } from '../providers.js';
import { BulkWork } from './bulk-work.js';
import { Expiry } from './expiry.js';
import { Housekeeping } from './housekeeping.js';
import { Pauses } from './pauses.js';
import { Reconcile } from './reconcile.js';
import { Scheduler } from './scheduler.js';

/** Recurring work, each in one worker at a time; the worker's lifecycle starts and stops it. */
@Module({
  imports: [DatabaseModule, SendingModule],
  providers: [BulkWork, Expiry, Housekeeping, Pauses, Reconcile, Scheduler],
  exports: [Scheduler],
})
export class MaintenanceModule {}
