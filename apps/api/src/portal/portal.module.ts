import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { HealthModule } from '../health/health.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { PortalCredentialsController } from './credentials/portal-credentials.controller.js';
import { PortalDeliveriesController } from './deliveries/portal-deliveries.controller.js';
import { PortalDeliveriesService } from './deliveries/portal-deliveries.service.js';
import { PortalDiagnosisController } from './diagnosis/portal-diagnosis.controller.js';
import { PortalDiagnosisService } from './diagnosis/portal-diagnosis.service.js';
import { PortalKeysController } from './keys/portal-keys.controller.js';
import { PortalBoundary } from './portal-boundary.interceptor.js';
import { PortalLimits } from './portal-limits.service.js';
import { ReplaysController } from './replays/replays.controller.js';
import { ReplaysService } from './replays/replays.service.js';
import { PortalUrlRequestsController } from './url-requests/portal-url-requests.controller.js';
import { ProfileController } from './profile/profile.controller.js';
import { ProfileService } from './profile/profile.service.js';

/** The portal of a consumer's own people (ADR 47): existing services and commands, with the consumer of the caller. */
@Module({
  imports: [DatabaseModule, AccessModule, HealthModule, OperationsModule],
  controllers: [
    ProfileController,
    PortalDeliveriesController,
    PortalDiagnosisController,
    PortalCredentialsController,
    PortalKeysController,
    PortalUrlRequestsController,
    ReplaysController,
  ],
  providers: [
    PortalBoundary,
    PortalLimits,
    ProfileService,
    PortalDeliveriesService,
    PortalDiagnosisService,
    ReplaysService,
  ],
})
export class PortalModule {}
