import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ConsoleSessions } from './sign-in/console-sessions.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { Callers } from './callers.service.js';
import { FailedAttempts } from './failed-attempts.service.js';
import { ApiKeyLookup } from './api-key-lookup.service.js';
import { MeController } from './me.controller.js';
import { PortalLimits } from './portal-limits.service.js';

/** Authentication and authorization of API requests. */
@Module({
  imports: [DatabaseModule],
  controllers: [ApiKeysController, MeController],
  providers: [
    ApiKeyLookup,
    FailedAttempts,
    ConsoleSessions,
    Callers,
    ApiKeysService,
    PortalLimits,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [ApiKeysService, FailedAttempts, ConsoleSessions, PortalLimits],
})
export class AccessModule {}
