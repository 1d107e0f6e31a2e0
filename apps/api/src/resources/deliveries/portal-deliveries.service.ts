import { pageOf, paginated } from '#libs/contracts';
import { DeliveriesRepository, EventsRepository, OwnDeliveriesRepository } from '#libs/database';
import { Injectable, NotFoundException, type StreamableFile } from '@nestjs/common';
import { streamedAnswer } from '../../http/streamed-answer.js';
import type {
  PortalDeliveriesQueryDto,
  PortalDeliveryDto,
  PortalDeliveryListDto,
} from './portal-delivery.dto.js';
import { portalAttemptView, portalDeliveryView } from './portal-delivery-view.js';

/** Reads a consumer's own deliveries. */
@Injectable()
export class PortalDeliveriesService {
  constructor(
    private readonly own: OwnDeliveriesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  async list(consumerId: string, query: PortalDeliveriesQueryDto): Promise<PortalDeliveryListDto> {
    const page = pageOf(query);
    const rows = await this.own.list(consumerId, query, page);
    return paginated('deliveries', rows.map(portalDeliveryView), page);
  }

  /** A delivery without envelope and attempts. @throws NotFoundException, also for another consumer's delivery */
  async summary(consumerId: string, id: string): Promise<PortalDeliveryDto> {
    const row = await this.own.find(consumerId, id);
    if (row === undefined) throw new NotFoundException('There is no such delivery.');
    return portalDeliveryView(row);
  }

  /** @returns a streamed `PortalDeliveryDetailDto` @throws NotFoundException, also for another consumer's delivery */
  async read(consumerId: string, id: string): Promise<StreamableFile> {
    const delivery = await this.summary(consumerId, id);
    const event = await this.events.find(delivery.notificationId);
    const envelope: unknown = event === undefined ? null : JSON.parse(event.body);
    return streamedAnswer({
      before: { ...delivery, envelope },
      name: 'attempts',
      records: this.attempts(delivery),
    });
  }

  private async *attempts({ deliveryId, attemptCount }: PortalDeliveryDto): AsyncGenerator<string[]> {
    for await (const rows of this.deliveries.attempts({ id: deliveryId, attempts: attemptCount }))
      yield rows.map((row) => JSON.stringify(portalAttemptView(row)));
  }
}
