import { retryDelivery, Database } from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { CancelledByBankError } from './cancelled-by-bank.js';
import type { RetryDeliveryDto } from './delivery-actions.dto.js';

/** Makes a delivery due now, in any state; a delivered one only with `force`. */
@Injectable()
export class RetryDelivery {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: DispatchQueue,
  ) {}

  /**
   * @param given `consumerId`: only a delivery of this consumer; another one is unknown
   * @throws NotFoundException, or ConflictException with the reason of the refusal
   */
  async execute(
    deliveryId: string,
    { reason, force = false, consumerId }: RetryDeliveryDto & { readonly consumerId?: string },
    actor: Actor,
  ): Promise<void> {
    const entry = auditEntry(actor, {
      action: 'delivery.retried',
      target: `delivery:${deliveryId}`,
      reason,
    });
    const retried = await retryDelivery(this.db, deliveryId, { force, consumerId }, entry);
    switch (retried.kind) {
      case 'done':
        this.queue.enqueue([retried.consumerId]);
        this.logger.info({ deliveryId }, 'delivery.retried');
        return;
      case 'unknown':
        throw new NotFoundException('There is no such delivery.');
      case 'delivered':
        throw new ConflictException(
          'It is already delivered. To send it again, repeat the request with { "force": true }; the notificationId stays the same.',
        );
      case 'cancelled_by_bank':
        throw new CancelledByBankError();
      case 'consumer_removed':
        throw new ConflictException(
          'Its consumer is removed, and nothing is sent to it any more. Send the event to another consumer instead.',
        );
      case 'event_gone':
        throw new ConflictException('Its event has passed its retention time and cannot be sent any more.');
    }
  }
}
