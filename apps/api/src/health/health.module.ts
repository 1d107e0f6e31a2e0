import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { StatusModule } from '../status/status.module.js';
import { ConsumerHealths } from './consumer-healths.service.js';

/** Health of consumers: a single source for the list, the overview and the metrics. */
@Module({
  imports: [DatabaseModule, StatusModule],
  providers: [ConsumerHealths],
  exports: [ConsumerHealths],
})
export class HealthModule {}
