import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { INVALID_PARAMETER, Refuses, TOO_SLOW } from '../http/refuses.js';
import { SearchDto, SearchQueryDto } from './search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('events')
@Controller({ path: 'search', version: '1' })
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get()
  @Allow('viewer', 'producer')
  @ApiOperation({
    summary: 'Find what has this id: a payment, an event, a delivery, a consumer or a bulk action',
    description:
      'Compares exactly with every id (delivery, notification, payment, consumer, bulk action, `externalId`), the trace ' +
      'number and the IMAD, and with the beginning of consumers’ names, in capitals or not. All events of one payment are ' +
      'one hit. A producer finds its own payments and events only.',
    operationId: 'search',
  })
  @ApiOkResponse({ type: SearchDto })
  @Refuses({ 400: INVALID_PARAMETER, 504: TOO_SLOW })
  find(@Query() { q }: SearchQueryDto, @CurrentCaller() caller: Caller): Promise<SearchDto> {
    return this.search.find(q, caller);
  }
}
