import { maskEnvelope, pageOf, paginated } from '#libs/contracts';
import {
  DeliveriesRepository,
  EventsRepository,
  type EventRow,
  type EventWithRecipients,
} from '#libs/database';
import { Injectable, NotFoundException } from '@nestjs/common';
import { mayActAs, type Caller } from '../../access/caller.js';
import { deliveryView } from '../deliveries/delivery-view.js';
import type { DeliveryDto } from '../deliveries/delivery.dto.js';
import { recipientsView } from '../deliveries/recipients.dto.js';
import { viewOf } from '../../http/view-of.js';
import { EventDto, type EventDetailDto, type EventListDto } from './event.dto.js';
import type { EventsQueryDto } from './events-query.dto.js';

/** Reads events. A producer sees only its own, in full; others see all events, with account numbers masked. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async list(query: EventsQueryDto, caller: Caller): Promise<EventListDto> {
    const page = pageOf(query);
    const own = seesAll(caller) ? {} : { producer: caller.name };
    const rows = await this.events.list({ ...query, ...own }, page);
    return paginated('events', rows.map(eventView), page);
  }

  async read(notificationId: string, caller: Caller): Promise<EventDetailDto> {
    const row = await this.events.find(notificationId);
    if (row === undefined || (!seesAll(caller) && row.producer !== caller.name)) {
      throw new NotFoundException('There is no such event.');
    }
    const [recipients, deliveries] = await Promise.all([
      this.events.recipients(notificationId),
      this.deliveries.ofEvent(notificationId),
    ]);
    return {
      ...eventView({ ...row, recipients }),
      ...envelopeFor(row, caller),
      deliveries: deliveries.map(deliveryView),
    };
  }

  /** The deliveries of an event that have these ids. */
  async deliveriesOf(notificationId: string, deliveryIds: readonly string[]): Promise<DeliveryDto[]> {
    const rows = await this.deliveries.ofEvent(notificationId);
    return rows.filter(({ id }) => deliveryIds.includes(id)).map(deliveryView);
  }
}

const seesAll = (caller: Caller): boolean => mayActAs(caller, ['viewer']);

/** The envelope, unmasked for the event's producer. Others read it in full with `ReadEnvelope`, which is audited. */
function envelopeFor(row: EventRow, caller: Caller): Pick<EventDetailDto, 'envelope' | 'masked'> {
  const masked = !mayActAs(caller, ['producer']) || row.producer !== caller.name;
  const envelope: Record<string, unknown> = JSON.parse(masked ? maskEnvelope(row.body) : row.body);
  return { envelope, masked };
}

const eventView = (row: EventWithRecipients): EventDto =>
  viewOf(EventDto, row, {
    notificationId: row.id,
    eventDateTime: row.event_at.toISOString(),
    recipients: recipientsView(row.recipients),
  });
