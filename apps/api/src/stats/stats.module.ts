import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';

/** Statistics for charts. */
@Module({ imports: [DatabaseModule], controllers: [StatsController], providers: [StatsService] })
export class StatsModule {}
