import { DispatchModule } from '#libs/dispatch';
import { Module } from '@nestjs/common';
import { ConsumersController } from './consumers.controller.js';
import { ConsumersService } from './consumers.service.js';

/** Onboarding: who is notified, where, of what. */
@Module({ imports: [DispatchModule], controllers: [ConsumersController], providers: [ConsumersService] })
export class ConsumersModule {}
