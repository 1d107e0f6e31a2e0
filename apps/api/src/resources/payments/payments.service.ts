import { pageOf, paginated, type EventType, type PaymentKind } from '#libs/contracts';
import {
  DeliveriesRepository,
  EventsRepository,
  PaymentsRepository,
  type DeliveryRow,
  type ListedEventRow,
  type PaymentWithRecipients,
} from '#libs/database';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { mayActAs, type Caller } from '../../access/caller.js';
import { deliveryView } from '../deliveries/delivery-view.js';
import { recipientsView } from '../deliveries/recipients.dto.js';
import { streamedAnswer } from '../../http/streamed-answer.js';
import { viewOf } from '../../http/view-of.js';
import { PaymentDto, PaymentStatusDto, type PaymentListDto } from './payment.dto.js';
import type { PaymentsQueryDto } from './payments-query.dto.js';
import { found } from '../../http/found.js';

const EVENT_TYPE_OF: Readonly<Record<PaymentKind, EventType>> = { ach: 'ach.status', wire: 'wire.status' };
const KIND_OF: Readonly<Record<EventType, PaymentKind>> = { 'ach.status': 'ach', 'wire.status': 'wire' };

/** Statuses per chunk of the streamed answer; each has about 700 bytes per consumer. */
const STATUSES_AT_ONCE = 20;

/** Reads payments. A producer sees only what its own statuses contain. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly events: EventsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async list(query: PaymentsQueryDto, caller: Caller): Promise<PaymentListDto> {
    const page = pageOf(query);
    const { kind, ...filter } = query;
    const producer = producerOf(caller);
    const rows = await this.payments.list(
      {
        ...filter,
        ...(kind === undefined ? {} : { eventType: EVENT_TYPE_OF[kind] }),
        ...(producer === undefined ? {} : { producer }),
      },
      page,
    );
    return paginated('payments', rows.map(paymentView), page);
  }

  /** @returns a streamed `PaymentDetailDto` */
  async read(kind: PaymentKind, paymentId: string, caller: Caller): Promise<StreamableFile> {
    const eventType = EVENT_TYPE_OF[kind];
    const producer = producerOf(caller);
    const payment = found(await this.payments.find(eventType, paymentId, producer), 'payment');
    const statuses = await this.events.ofPayment(eventType, paymentId, producer);
    const records = this.statuses(statuses);
    return streamedAnswer({ before: paymentView(payment), name: 'statuses', records });
  }

  private async *statuses(ids: readonly string[]): AsyncGenerator<string[]> {
    for (let at = 0; at < ids.length; at += STATUSES_AT_ONCE) {
      const some = await this.events.listed(ids.slice(at, at + STATUSES_AT_ONCE));
      const deliveries = await this.deliveries.ofEvents(some.map(({ id }) => id));
      yield some.map((status) => JSON.stringify(statusView(status, deliveries.get(status.id) ?? [])));
    }
  }
}

/** The producer to whose own statuses the caller is restricted; undefined without such a restriction. */
const producerOf = (caller: Caller): string | undefined =>
  mayActAs(caller, ['viewer']) ? undefined : caller.name;

const paymentView = (row: PaymentWithRecipients): PaymentDto =>
  viewOf(PaymentDto, row, {
    kind: KIND_OF[row.event_type],
    statusCount: row.last_number,
    recipients: recipientsView(row.recipients),
  });

const statusView = (row: ListedEventRow, deliveries: readonly DeliveryRow[]): PaymentStatusDto =>
  viewOf(PaymentStatusDto, row, {
    notificationId: row.id,
    number: row.number ?? 0,
    eventDateTime: row.event_at.toISOString(),
    deliveries: deliveries.map(deliveryView),
  });
