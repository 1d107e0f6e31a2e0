import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module.js';
import { HealthModule } from './health/health.module.js';
import { OperationsModule } from '../../operations/operations.module.js';
import { ConsumersController } from './consumers.controller.js';
import { ConsumersService } from './consumers.service.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { CredentialsService } from './credentials/credentials.service.js';
import { ConsumerKeysController } from './keys/consumer-keys.controller.js';
import { SignInLinksController } from './sign-in-links/sign-in-links.controller.js';
import { SignatureController } from './signature/signature.controller.js';
import { UrlRequestsController } from './url-requests/url-requests.controller.js';
import { FailuresService } from './diagnosis/failures.service.js';
import { DiagnosisController } from './diagnosis/diagnosis.controller.js';

/** Onboarding: consumers, their settings, credentials and API keys, test deliveries and diagnosis. */
@Module({
  imports: [DatabaseModule, AccessModule, HealthModule, OperationsModule],
  controllers: [
    ConsumersController,
    ConsumerKeysController,
    CredentialsController,
    SignatureController,
    SignInLinksController,
    UrlRequestsController,
    DiagnosisController,
  ],
  providers: [ConsumersService, CredentialsService, FailuresService],
})
export class ConsumersModule {}
