import { DeliveriesRepository } from '#libs/database';
import { DeliveryActs } from '#libs/dispatch';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../access/audit-entry.js';
import { deliveryView } from '../deliveries/delivery-view.js';
import { InvalidContentError } from '../http/invalid-input.js';
import type { EventSentDto, SendEventDto } from './send-event.dto.js';

/** Sends events by hand, and says in words why not. */
@Injectable()
export class SendEventService {
  constructor(
    private readonly acts: DeliveryActs,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async send(
    notificationId: string,
    { consumers, reason }: SendEventDto,
    actor: Actor,
  ): Promise<EventSentDto> {
    const sent = await this.acts.send(
      { notificationId, consumers },
      auditEntry(actor, { action: 'event.sent', target: `event:${notificationId}`, reason }),
    );
    switch (sent.kind) {
      case 'done': {
        const rows = await this.deliveries.ofEvent(notificationId);
        return { deliveries: rows.filter((row) => sent.deliveryIds.includes(row.id)).map(deliveryView) };
      }
      case 'unknown':
        throw new NotFoundException('There is no such event.');
      case 'refused':
        throw new InvalidContentError(sent.faults);
      case 'repeated':
        throw new ConflictException(
          `These consumers have a delivery of this event already, retry that instead: ${sent.consumerIds.join(', ')}.`,
        );
    }
  }
}
