import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { AuditController } from './audit/audit.controller.js';
import { BulkActionsController } from './bulk-actions/bulk-actions.controller.js';
import { BulkActionsService } from './bulk-actions/bulk-actions.service.js';
import { ReplaysController } from './bulk-actions/replays.controller.js';
import { ReplaysService } from './bulk-actions/replays.service.js';
import { ChannelConnections } from './channels/channel-connections.js';
import { ChannelsController } from './channels/channels.controller.js';
import { ChannelsService } from './channels/channels.service.js';
import { CommandsModule } from './commands.module.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AlertsService } from './alerts/alerts.service.js';
import { ConsumersController } from './consumers/consumers.controller.js';
import { ConsumersService } from './consumers/consumers.service.js';
import { CredentialsController } from './consumers/credentials/credentials.controller.js';
import { CredentialsService } from './consumers/credentials/credentials.service.js';
import { DiagnosisController } from './consumers/diagnosis/diagnosis.controller.js';
import { FailuresService } from './consumers/diagnosis/failures.service.js';
import { HealthModule } from './consumers/health/health.module.js';
import { ConsumerKeysController } from './consumers/keys/consumer-keys.controller.js';
import { PortalKeysController } from './consumers/keys/portal-keys.controller.js';
import { ProfileController } from './consumers/profile/profile.controller.js';
import { ProfileService } from './consumers/profile/profile.service.js';
import { SignInLinksController } from './consumers/sign-in-links/sign-in-links.controller.js';
import { SignatureController } from './consumers/signature/signature.controller.js';
import { PortalUrlRequestsController } from './consumers/url-requests/portal-url-requests.controller.js';
import { UrlRequestsController } from './consumers/url-requests/url-requests.controller.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { EventsController } from './events/events.controller.js';
import { EventsService } from './events/events.service.js';
import { IssuesController } from './issues/issues.controller.js';
import { IssuesService } from './issues/issues.service.js';
import { SendingController } from './sending/sending.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NotificationsService } from './notifications/notifications.service.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentsService } from './payments/payments.service.js';

/** The routes of every resource, for operators and for a consumer's own people (ADR 47), with their queries. */
@Module({
  imports: [DatabaseModule, AccessModule, CommandsModule, HealthModule, SecretsModule],
  // The order of the routes in the OpenAPI document.
  controllers: [
    EventsController,
    DeliveriesController,
    BulkActionsController,
    ChannelsController,
    ConsumersController,
    ConsumerKeysController,
    CredentialsController,
    SignatureController,
    SignInLinksController,
    UrlRequestsController,
    DiagnosisController,
    IssuesController,
    ProfileController,
    PortalKeysController,
    PortalUrlRequestsController,
    AlertsController,
    ReplaysController,
    AuditController,
    NotificationsController,
    PaymentsController,
    SendingController,
  ],
  providers: [
    AlertsService,
    BulkActionsService,
    ChannelConnections,
    ChannelsService,
    ConsumersService,
    CredentialsService,
    DeliveriesService,
    EventsService,
    FailuresService,
    IssuesService,
    NotificationsService,
    ProfileService,
    ReplaysService,
    PaymentsService,
  ],
})
export class ResourcesModule {}
