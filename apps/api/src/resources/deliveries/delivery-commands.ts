import { ConflictWithFields } from '../../http/conflict.js';
import { cancelDelivery, Database, retryDelivery } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import type { OptionalReasonDto } from '../../http/reason.dto.js';
import type { RetryDeliveryDto } from './delivery-actions.dto.js';

/** Commands on one delivery. */
@Injectable()
export class DeliveryCommands {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /**
   * Finishes a delivery without sending it; the next status of its payment is released.
   * @throws NotFoundException; ConflictException for a delivered one
   */
  async cancel(deliveryId: string, { reason }: OptionalReasonDto, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, {
      action: 'delivery.cancelled',
      target: `delivery:${deliveryId}`,
      reason,
    });
    const cancelled = await cancelDelivery(this.db, deliveryId, entry);
    switch (cancelled.kind) {
      case 'done':
        this.queue.enqueue([cancelled.consumerId]);
        this.metrics.deliveriesFinished.inc({ state: 'cancelled' });
        this.logger.info({ deliveryId }, 'delivery.cancelled');
        return;
      case 'already':
        return;
      case 'unknown':
        throw new NotFoundException('There is no such delivery.');
      case 'delivered':
        throw new ConflictException('It is delivered, and cannot be cancelled.');
    }
  }

  /**
   * Makes a delivery due now, in any state; a delivered one only with `force`.
   * @param given `consumerId`: only a delivery of this consumer; another one is unknown
   * @throws NotFoundException, or ConflictException with the reason of the refusal
   */
  async retry(
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

/** Only the bank can send what one of its people has cancelled (contract, "Decided"): 409 with a code. */
class CancelledByBankError extends ConflictWithFields {
  readonly fields = { code: 'cancelled_by_bank' } as const;

  constructor() {
    super('The bank has cancelled it, and it cannot be sent from here. Ask the bank to send it again.');
  }
}
