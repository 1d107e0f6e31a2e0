import { DeliveriesRepository } from '#libs/database';
import { DeliveryActs } from '#libs/dispatch';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../access/audit-entry.js';
import type { OptionalReasonDto } from '../http/optional-reason.dto.js';
import type { RetryDeliveryDto } from './delivery-actions.dto.js';
import { deliveryView } from './delivery-view.js';
import type { DeliveryDto } from './delivery.dto.js';

/** Retries and cancels by hand, and says in words why not. */
@Injectable()
export class DeliveryActionsService {
  constructor(
    private readonly acts: DeliveryActs,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async retry(id: string, { reason, force = false }: RetryDeliveryDto, actor: Actor): Promise<DeliveryDto> {
    const { kind } = await this.acts.retry(
      id,
      { force },
      auditEntry(actor, { action: 'delivery.retried', target: `delivery:${id}`, reason }),
    );
    switch (kind) {
      case 'done':
        return this.view(id);
      case 'unknown':
        throw notFound();
      case 'being_sent':
        throw new ConflictException('It is being sent at this moment. Wait for how that ends.');
      case 'delivered':
        throw new ConflictException(
          'It is delivered. To send it again all the same, repeat this with { "force": true }; the notificationId stays.',
        );
      case 'consumer_removed':
        throw new ConflictException(
          'Its consumer is removed, and nothing is sent to it any more. Send the event to another consumer instead.',
        );
      case 'event_gone':
        throw new ConflictException('Its event is older than what is kept, and cannot be sent any more.');
    }
  }

  async cancel(id: string, { reason }: OptionalReasonDto, actor: Actor): Promise<DeliveryDto> {
    const { kind } = await this.acts.cancel(
      id,
      auditEntry(actor, { action: 'delivery.cancelled', target: `delivery:${id}`, reason }),
    );
    switch (kind) {
      case 'done':
      case 'already':
        return this.view(id);
      case 'unknown':
        throw notFound();
      case 'being_sent':
        throw new ConflictException(
          'It is being sent at this moment. Wait for how that ends; if it fails, cancel it then.',
        );
      case 'delivered':
        throw new ConflictException('It is delivered, and cannot be taken back.');
    }
  }

  private async view(id: string): Promise<DeliveryDto> {
    const row = await this.deliveries.find(id);
    if (row === undefined) throw notFound();
    return deliveryView(row);
  }
}

const notFound = (): NotFoundException => new NotFoundException('There is no such delivery.');
