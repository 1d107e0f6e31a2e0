import { cancelDelivery, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import type { OptionalReasonDto } from '../../http/reason.dto.js';

/** Finishes a delivery without sending it; the next status of its payment is released. */
@Injectable()
export class CancelDelivery {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /** @throws NotFoundException; ConflictException for a delivered one */
  async execute(deliveryId: string, { reason }: OptionalReasonDto, actor: Actor): Promise<void> {
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
}
