import { DatabaseModule } from '#libs/database';
import { WorkerMetrics } from '#libs/observability';
import { Module } from '@nestjs/common';
import { MaintenanceModule } from './maintenance.module.js';
import { SendingModule } from './providers.js';
import { AttemptReport } from './session/attempt-report.js';
import { Attempts } from './session/attempts.service.js';
import { ConsumptionMonitor } from './jobs/consumption-monitor.js';
import { Intake } from './jobs/intake.js';
import { DeliveryProcessor } from './jobs/delivery.processor.js';
import { FetchLoop } from './session/fetch-loop.js';
import { Recorder } from './session/recorder.js';
import { SessionEnd } from './session/session-end.js';
import { SessionStore } from './session/session-store.js';
import { Sessions } from './session/sessions.service.js';
import { StallWatch } from './session/stall-watch.js';
import { WorkerHealth } from './jobs/worker-health.js';
import { WorkerLifecycle } from './jobs/worker-lifecycle.js';

/** Consumes the queue's jobs, delivers to their consumers in sessions, and does the recurring maintenance. */
@Module({
  imports: [DatabaseModule, SendingModule, MaintenanceModule],
  providers: [
    AttemptReport,
    Attempts,
    ConsumptionMonitor,
    Intake,
    DeliveryProcessor,
    FetchLoop,
    Recorder,
    SessionEnd,
    SessionStore,
    Sessions,
    StallWatch,
    WorkerHealth,
    WorkerLifecycle,
    WorkerMetrics,
  ],
})
export class WorkerModule {}
