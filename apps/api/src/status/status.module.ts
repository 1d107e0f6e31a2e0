import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { PartsWatch } from './parts-watch.service.js';
import { StatusController } from './status.controller.js';

/** State of PostgreSQL and Redis. The console's banner uses it when no other route answers. */
@Module({
  imports: [DatabaseModule],
  controllers: [StatusController],
  providers: [PartsWatch],
  exports: [PartsWatch],
})
export class StatusModule {}
