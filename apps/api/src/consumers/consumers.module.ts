import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ConsumersController } from './consumers.controller.js';
import { ConsumersService } from './consumers.service.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { CredentialsService } from './credentials/credentials.service.js';
import { ConsumerKeysController } from './keys/consumer-keys.controller.js';
import { SignatureController } from './signature/signature.controller.js';
import { SignatureService } from './signature/signature.service.js';
import { FailuresService } from './trying/failures.service.js';
import { TryingController } from './trying/trying.controller.js';
import { TryingService } from './trying/trying.service.js';

/** Onboarding: who is notified, where, of what, with which credentials, and whether it works. */
@Module({
  imports: [DispatchModule, AccessModule],
  controllers: [
    ConsumersController,
    ConsumerKeysController,
    CredentialsController,
    SignatureController,
    TryingController,
  ],
  providers: [ConsumersService, CredentialsService, FailuresService, SignatureService, TryingService],
})
export class ConsumersModule {}
