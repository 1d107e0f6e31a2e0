import { MicroBatch } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue, type DeliveryToEnqueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';

/**
 * Hands deliveries to the queue in bulk, behind the caller's back. What cannot be handed over (Redis away) is not
 * kept here: it is committed in PostgreSQL, and the reconciler enqueues it when the queue is back.
 */
@Injectable()
export class Enqueuer {
  private readonly batch = new MicroBatch<DeliveryToEnqueue, void>(async (deliveries) => {
    await this.queue.enqueue(deliveries);
    return deliveries.map(() => undefined);
  }, 500);

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  enqueue(deliveries: readonly DeliveryToEnqueue[]): void {
    for (const delivery of deliveries) {
      this.batch.add(delivery).catch((error: unknown) => {
        this.metrics.enqueueFailures.inc();
        this.logger.warn(
          { deliveryId: delivery.deliveryId, fault: error instanceof Error ? error.message : String(error) },
          'not enqueued; the reconciler will',
        );
      });
    }
  }
}
