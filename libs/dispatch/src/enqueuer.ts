import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatch } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue, type DeliveryToEnqueue } from '#libs/queue';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** What a stop waits for the queue to take what is under way; the reconciler enqueues what it did not take. */
const FLUSH_WITHIN_MS = 2_000;

/**
 * Hands deliveries to the queue in bulk, behind the caller's back. What cannot be handed over (Redis away) is not
 * kept here: it is committed in PostgreSQL, and the reconciler enqueues it when the queue is back.
 */
@Injectable()
export class Enqueuer implements OnApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();

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
      const handover = this.handOver(delivery).finally(() => this.underWay.delete(handover));
      this.underWay.add(handover);
    }
  }

  /** Runs before the queue's own shutdown: the api's last 202s are not left to the reconciler. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), delay(FLUSH_WITHIN_MS, undefined, { ref: false })]);
  }

  private async handOver(delivery: DeliveryToEnqueue): Promise<void> {
    await this.batch.add(delivery).catch((error: unknown) => {
      this.metrics.enqueueFailures.inc();
      this.logger.warn(
        { deliveryId: delivery.deliveryId, fault: error instanceof Error ? error.message : String(error) },
        'not enqueued; the reconciler will',
      );
    });
  }
}
