import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { ConsumerAlerts } from './alerts/consumer-alerts.js';
import { ChannelConnections } from './channels/channel-connections.js';
import { ChannelMessages } from './channels/channel-messages.js';
import { SendingModule } from './providers.js';
import { BulkWork } from './maintenance/bulk-work.js';
import { Expiry } from './maintenance/expiry.js';
import { HealthIssues } from './maintenance/health-issues.js';
import { Housekeeping } from './maintenance/housekeeping.js';
import { Pauses } from './maintenance/pauses.js';
import { Reconcile } from './maintenance/reconcile.js';
import type { ScheduledWork } from './maintenance/scheduled-work.js';
import { SCHEDULED_WORK, Scheduler } from './maintenance/scheduler.js';

/** Recurring work; one worker at a time runs each kind. The worker's lifecycle starts and stops it. */
@Module({
  imports: [DatabaseModule, SendingModule],
  providers: [
    BulkWork,
    ChannelConnections,
    ChannelMessages,
    ConsumerAlerts,
    Expiry,
    HealthIssues,
    Housekeeping,
    Pauses,
    Reconcile,
    Scheduler,
    {
      provide: SCHEDULED_WORK,
      inject: [
        Housekeeping,
        Reconcile,
        Expiry,
        BulkWork,
        Pauses,
        HealthIssues,
        ChannelMessages,
        ConsumerAlerts,
      ],
      useFactory: (housekeeping: Housekeeping, ...works: ScheduledWork[]) => [
        ...works,
        ...housekeeping.works,
      ],
    },
  ],
  exports: [Scheduler],
})
export class MaintenanceModule {}
