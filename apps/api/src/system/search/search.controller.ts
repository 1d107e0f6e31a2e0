import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { SearchDto, SearchQueryDto } from './search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('events')
@Controller({ path: 'search', version: '1' })
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get()
  @Allow('viewer', 'producer')
  @ApiOperation({
    summary: 'Search by id: payments, events, deliveries, consumers and bulk actions',
    description:
      'Matches all ids (delivery, notification, payment, consumer, bulk action, `externalId`), trace numbers and ' +
      'IMADs exactly, and the beginning of consumers’ names, case-insensitive. All events of one payment are one ' +
      'hit. A producer finds only its own payments and events.',
    operationId: 'search',
  })
  @ApiOkResponse({ type: SearchDto })
  @Refuses({ 400: INVALID_PARAMETER })
  find(@Query() { q }: SearchQueryDto, @CurrentCaller() caller: Caller): Promise<SearchDto> {
    return this.search.find(q, caller);
  }
}
