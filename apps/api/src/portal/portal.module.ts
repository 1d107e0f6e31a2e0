import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { HealthModule } from '../resources/consumers/health/health.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { PortalCredentialsController } from '../resources/consumers/credentials/portal-credentials.controller.js';
import { PortalDeliveriesController } from '../resources/deliveries/portal-deliveries.controller.js';
import { PortalDeliveriesService } from '../resources/deliveries/portal-deliveries.service.js';
import { PortalDiagnosisController } from '../resources/consumers/diagnosis/portal-diagnosis.controller.js';
import { PortalDiagnosisService } from '../resources/consumers/diagnosis/portal-diagnosis.service.js';
import { PortalKeysController } from '../resources/consumers/keys/portal-keys.controller.js';
import { PortalBoundary } from '../access/portal/portal-boundary.interceptor.js';
import { PortalLimits } from '../access/portal/portal-limits.service.js';
import { ReplaysController } from '../resources/bulk-actions/replays.controller.js';
import { ReplaysService } from '../resources/bulk-actions/replays.service.js';
import { PortalUrlRequestsController } from '../resources/consumers/url-requests/portal-url-requests.controller.js';
import { ProfileController } from '../resources/consumers/profile/profile.controller.js';
import { ProfileService } from '../resources/consumers/profile/profile.service.js';

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
