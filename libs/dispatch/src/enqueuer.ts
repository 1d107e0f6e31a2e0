import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatch } from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue, type DeliveryToEnqueue } from '#libs/queue';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** What a stop waits for the queue to take what is under way; the reconciler enqueues what it did not take. */
const FLUSH_WITHIN_MS = 2_000;

/** Deliveries that may wait here for a slow queue; more are left to the reconciler. */
const MOST_WAITING = 10_000;

/**
 * Hands deliveries to the queue in bulk, behind the caller's back. What cannot be handed over (Redis away) is not
 * kept here: it is committed in PostgreSQL, and the reconciler enqueues it when the queue is back.
 */
@Injectable()
export class Enqueuer implements OnApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();

  private readonly batch = new MicroBatch<DeliveryToEnqueue, void>(async (deliveries) => {
    await this.handOver(deliveries);
    return deliveries.map(() => undefined);
  }, 500);

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  enqueue(deliveries: readonly DeliveryToEnqueue[]): void {
    const room = MOST_WAITING - this.underWay.size;
    if (deliveries.length > room) this.leave(deliveries.slice(room), 'too many wait for the queue already');
    for (const delivery of deliveries.slice(0, room)) {
      const handover = this.batch.add(delivery).finally(() => this.underWay.delete(handover));
      this.underWay.add(handover);
    }
  }

  /** Runs before the queue's own shutdown: the api's last 202s are not left to the reconciler. */
  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Resolves when what is under way is in the queue, or is left to the reconciler. */
  async flush(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), delay(FLUSH_WITHIN_MS, undefined, { ref: false })]);
  }

  private async handOver(deliveries: readonly DeliveryToEnqueue[]): Promise<void> {
    try {
      await this.queue.enqueue(deliveries);
    } catch (error) {
      this.leave(deliveries, faultText(error));
    }
  }

  private leave(deliveries: readonly DeliveryToEnqueue[], fault: string): void {
    this.metrics.enqueueFailures.inc(deliveries.length);
    this.logger.warn(
      { deliveries: deliveries.length, firstDeliveryId: deliveries[0]?.deliveryId, fault },
      'not enqueued; the reconciler will',
    );
  }
}
