import { Get, Query } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { Routes } from '../../http/routes.js';
import { SearchDto, SearchQueryDto } from './search.dto.js';
import { SearchService } from './search.service.js';

@Routes({ path: 'search', tag: 'events' })
export class SearchController {
  constructor(private readonly matches: SearchService) {}

  /**
   * Search by id: payments, events, deliveries, consumers and bulk actions
   * @remarks Matches all ids (delivery, notification, payment, consumer, bulk action, `externalId`), trace numbers
   * and IMADs exactly, and the beginning of consumers’ names, case-insensitive. All events of one payment are one
   * hit. A producer finds only its own payments and events.
   */
  @Get()
  @Allow('viewer', 'producer')
  search(@Query() { q }: SearchQueryDto, @CurrentCaller() caller: Caller): Promise<SearchDto> {
    return this.matches.find(q, caller);
  }
}
