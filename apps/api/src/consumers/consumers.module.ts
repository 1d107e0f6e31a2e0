import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { HealthModule } from '../health/health.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { ConsumersController } from './consumers.controller.js';
import { ConsumersService } from './consumers.service.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { CredentialsService } from './credentials/credentials.service.js';
import { ConsumerKeysController } from './keys/consumer-keys.controller.js';
import { SignatureController } from './signature/signature.controller.js';
import { FailuresService } from './trying/failures.service.js';
import { TryingController } from './trying/trying.controller.js';

/** Onboarding: who is notified, where, of what, with which credentials, and whether it works. */
@Module({
  imports: [DatabaseModule, AccessModule, HealthModule, OperationsModule],
  controllers: [
    ConsumersController,
    ConsumerKeysController,
    CredentialsController,
    SignatureController,
    TryingController,
  ],
  providers: [ConsumersService, CredentialsService, FailuresService],
})
export class ConsumersModule {}
