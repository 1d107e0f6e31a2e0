import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiGatewayTimeoutResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { PROBLEM_RESPONSE, TOO_SLOW_RESPONSE } from '../http/problem-response.js';
import { uuidParameter } from '../http/uuid.pipe.js';
import { EventDetailDto, EventListDto } from './event.dto.js';
import { EventsQueryDto } from './events-query.dto.js';
import { EventsService } from './events.service.js';

/** What was accepted, read back. */
@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Allow('producer', 'viewer')
  @ApiOperation({
    summary: 'List accepted events, newest first',
    description:
      'A producer sees its own. Inside a fixed `from` and `to` the list is stable: paging misses none.',
    operationId: 'listEvents',
  })
  @ApiOkResponse({ type: EventListDto })
  @ApiBadRequestResponse(PROBLEM_RESPONSE('A parameter is wrong; `errors` names it.'))
  @ApiGatewayTimeoutResponse(TOO_SLOW_RESPONSE)
  list(@Query() query: EventsQueryDto, @CurrentCaller() caller: Caller): Promise<EventListDto> {
    return this.events.list(query, caller);
  }

  @Get(':notificationId')
  @Allow('producer', 'viewer')
  @ApiOperation({ summary: 'Read an event with its envelope and deliveries', operationId: 'readEvent' })
  @ApiOkResponse({ type: EventDetailDto })
  @ApiNotFoundResponse(PROBLEM_RESPONSE('There is no such event, or it is another producer’s.'))
  read(
    @Param('notificationId', uuidParameter) notificationId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<EventDetailDto> {
    return this.events.read(notificationId, caller);
  }
}
