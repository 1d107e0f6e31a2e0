import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { EventDetailDto, EventListDto } from './event.dto.js';
import { EventsQueryDto } from './events-query.dto.js';
import { EventsService } from './events.service.js';

/** Reads accepted events. */
@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Allow('producer', 'viewer')
  @ApiOperation({
    summary: 'List accepted events, newest first',
    description:
      'A producer sees only its own events. With fixed `from` and `to`, the list is stable: paging misses no event.',
    operationId: 'listEvents',
  })
  @ApiOkResponse({ type: EventListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: EventsQueryDto, @CurrentCaller() caller: Caller): Promise<EventListDto> {
    return this.events.list(query, caller);
  }

  @Get(':notificationId')
  @Allow('producer', 'viewer')
  @ApiOperation({ summary: 'Read an event with its envelope and deliveries', operationId: 'readEvent' })
  @ApiOkResponse({ type: EventDetailDto })
  @Refuses({ 404: 'There is no such event, or another producer posted it.' })
  read(
    @Param('notificationId', uuidParameter) notificationId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<EventDetailDto> {
    return this.events.read(notificationId, caller);
  }
}
