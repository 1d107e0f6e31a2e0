import { Get, Query } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { InScope, type Scope } from '../../access/scope.js';
import { Routes } from '../../http/routes.js';
import { StatsQueryDto } from './stats-query.dto.js';
import { StatsDto } from './stats.dto.js';
import { StatsService } from './stats.service.js';

@Routes({ path: 'stats', tag: 'system' })
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  /** Read counts and latencies over time, for all consumers or one consumer */
  @Get()
  @Allow('viewer', 'consumer')
  readStats(@Query() query: StatsQueryDto, @InScope() scope: Scope): Promise<StatsDto> {
    return this.stats.read(query, scope);
  }
}
