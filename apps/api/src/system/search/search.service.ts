import { UUID, type EventType } from '#libs/contracts';
import {
  BulkActionsRepository,
  ConsumersRepository,
  DeliveriesRepository,
  EventsRepository,
  SearchRepository,
  type FoundConsumer,
  type FoundEvent,
} from '#libs/database';
import { Injectable } from '@nestjs/common';
import { mayActAs, type Caller } from '../../access/caller.js';
import type { SearchDto, SearchHitDto } from './search.dto.js';

const MOST_HITS = 20;

const TYPE_LABELS: Readonly<Record<EventType, string>> = { 'ach.status': 'ACH', 'wire.status': 'Wire' };

/** Finds records by an id, reference or consumer name. A producer finds only its own events and payments. */
@Injectable()
export class SearchService {
  constructor(
    private readonly search: SearchRepository,
    private readonly events: EventsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly consumers: ConsumersRepository,
    private readonly bulkActions: BulkActionsRepository,
  ) {}

  async find(q: string, caller: Caller): Promise<SearchDto> {
    const wanted = q.trim();
    const isViewer = mayActAs(caller, ['viewer']);
    const one = MOST_HITS + 1;
    const [byId, events, consumers] = await Promise.all([
      UUID.test(wanted) ? this.byId(wanted.toLowerCase(), caller, isViewer) : [],
      wanted === '' ? [] : this.search.events(wanted, one, isViewer ? undefined : caller.name),
      wanted === '' || !isViewer ? [] : this.search.consumers(wanted, one),
    ]);
    const hits = [...byId, ...events.map(eventHit), ...consumers.map(consumerHit)];
    return { hits: hits.slice(0, MOST_HITS), moreRecords: hits.length > MOST_HITS };
  }

  private async byId(id: string, caller: Caller, isViewer: boolean): Promise<SearchHitDto[]> {
    const event = await this.events.find(id);
    const hits: SearchHitDto[] = [];
    if (event !== undefined && (isViewer || event.producer === caller.name))
      hits.push({
        kind: 'event',
        matchedBy: 'notification_id',
        id,
        eventType: event.event_type,
        title: `${TYPE_LABELS[event.event_type]} event of ${payment(event.payment_id)}`,
        detail: `Status ${event.status ?? 'none'}`,
      });
    if (!isViewer) return hits;
    const [delivery, consumer, bulk] = await Promise.all([
      this.deliveries.find(id),
      this.consumers.find(id),
      this.bulkActions.find(id),
    ]);
    const none = { id, eventType: null } as const;
    if (delivery !== undefined)
      hits.push({
        kind: 'delivery',
        matchedBy: 'delivery_id',
        id,
        eventType: delivery.event_type,
        title: `Delivery of ${payment(delivery.payment_id)} to ${delivery.consumer_name}`,
        detail: `State ${delivery.state === 'queued' ? 'scheduled' : delivery.state}`,
      });
    if (consumer !== undefined)
      hits.push({
        ...none,
        kind: 'consumer',
        matchedBy: 'consumer_id',
        title: consumer.name,
        detail: 'Consumer',
      });
    if (bulk !== undefined)
      hits.push({
        ...none,
        kind: 'bulk_action',
        matchedBy: 'bulk_action_id',
        title: `Bulk ${bulk.action}: ${bulk.reason}`,
        detail: `State ${bulk.state}`,
      });
    return hits;
  }
}

const payment = (id: string | null): string => (id === null ? 'no payment' : `payment ${id}`);

const consumerHit = ({ id, name, matched_by }: FoundConsumer): SearchHitDto => ({
  kind: 'consumer',
  matchedBy: matched_by,
  id,
  eventType: null,
  title: name,
  detail: 'Consumer',
});

function eventHit({ matched_by, event_type, payment_id, id, status, events }: FoundEvent): SearchHitDto {
  const label = TYPE_LABELS[event_type];
  const found = { matchedBy: matched_by, eventType: event_type } as const;
  return payment_id === null
    ? {
        ...found,
        kind: 'event',
        id,
        title: `${label} event of no payment`,
        detail: `Status ${status ?? 'none'}`,
      }
    : {
        ...found,
        kind: 'payment',
        id: payment_id,
        title: `${label} payment ${payment_id}`,
        detail: `Newest status ${status ?? 'none'}, ${String(events)} ${events === 1 ? 'event' : 'events'}`,
      };
}
