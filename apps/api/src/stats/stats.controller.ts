import { Controller, Get, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiGatewayTimeoutResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { PROBLEM_RESPONSE, TOO_SLOW_RESPONSE } from '../http/problem-response.js';
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
    summary: 'Accepted, delivered, failed and latency over time, of everybody or of one consumer',
    operationId: 'readStats',
  })
  @ApiOkResponse({ type: StatsDto })
  @ApiBadRequestResponse(PROBLEM_RESPONSE('A parameter is wrong; `errors` names it.'))
  @ApiGatewayTimeoutResponse(TOO_SLOW_RESPONSE)
  read(@Query() query: StatsQueryDto): Promise<StatsDto> {
    return this.stats.read(query);
  }
}
