import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';

/** Who did what, read back. */
@Module({ imports: [DatabaseModule], controllers: [AuditController] })
export class AuditModule {}
