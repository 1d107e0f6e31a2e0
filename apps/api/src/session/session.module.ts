import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { SessionController } from './session.controller.js';

/** Signing in and out. */
@Module({ imports: [AccessModule], controllers: [SessionController] })
export class SessionModule {}
