import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { StatsQueryDto } from './stats-query.dto.js';
import { StatsDto } from './stats.dto.js';
import { StatsService } from './stats.service.js';

@ApiTags('queue')
@Controller({ path: 'stats', version: '1' })
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'Read counts and latencies over time, for all consumers or one consumer',
    operationId: 'readStats',
  })
  @ApiOkResponse({ type: StatsDto })
  @Refuses({ 400: INVALID_PARAMETER })
  read(@Query() query: StatsQueryDto): Promise<StatsDto> {
    return this.stats.read(query);
  }
}
