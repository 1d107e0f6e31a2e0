import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { PartsWatch } from './parts-watch.service.js';
import { StatusController } from './status.controller.js';

/** What the console's banner asks when nothing else answers. */
@Module({
  imports: [DatabaseModule],
  controllers: [StatusController],
  providers: [PartsWatch],
  exports: [PartsWatch],
})
export class StatusModule {}
