import { setTimeout as delay } from 'node:timers/promises';
import { MicroBatch } from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue, type DeliveryToEnqueue } from '#libs/queue';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { measured } from './measured-batch.js';

/** What a stop waits for the queue to take what is under way; the reconciler enqueues what it did not take. */
const FLUSH_WITHIN_MS = 2_000;

/** Deliveries that may wait here for a slow shard; more are left to the reconciler. */
const MOST_WAITING = 10_000;

const MOST_AT_ONCE = 500;

interface Lane {
  readonly underWay: Set<Promise<void>>;
  readonly batch: MicroBatch<DeliveryToEnqueue, void>;
}

/**
 * Hands deliveries to the queue in bulk, behind the caller's back. What cannot be handed over (Redis away) is not
 * kept here: it is committed in PostgreSQL, and the reconciler enqueues it when the queue is back.
 */
@Injectable()
export class Enqueuer implements OnApplicationShutdown {
  /** One for each shard: what waits for one that is away keeps nobody else's. */
  private readonly lanes: readonly Lane[];

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const handOver = async (deliveries: readonly DeliveryToEnqueue[]): Promise<void[]> => {
      await this.handOver(deliveries);
      return deliveries.map(() => undefined);
    };
    this.lanes = Array.from({ length: queue.shards }, () => ({
      underWay: new Set<Promise<void>>(),
      batch: new MicroBatch(measured(metrics, 'enqueue', handOver), MOST_AT_ONCE),
    }));
  }

  enqueue(deliveries: readonly DeliveryToEnqueue[]): void {
    const left: DeliveryToEnqueue[] = [];
    for (const delivery of deliveries) {
      const lane = this.lanes[this.queue.shardOf(delivery.consumerId)];
      if (lane === undefined || lane.underWay.size >= MOST_WAITING) left.push(delivery);
      else {
        const handover = lane.batch.add(delivery).finally(() => lane.underWay.delete(handover));
        lane.underWay.add(handover);
      }
    }
    if (left.length === 0) return;
    const fault = 'too many deliveries wait for the queue already';
    this.queue.trouble.noteFault(fault);
    this.leave(left, fault);
  }

  /** Runs before the queue's own shutdown: the api's last 202s are not left to the reconciler. */
  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Resolves when what is under way is in the queue, or is left to the reconciler. */
  async flush(): Promise<void> {
    await Promise.race([
      Promise.all(this.lanes.flatMap(({ underWay }) => [...underWay])),
      delay(FLUSH_WITHIN_MS, undefined, { ref: false }),
    ]);
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
    // The queue's trouble has its own line; in an outage these are as many as the requests.
    this.logger.debug(
      { deliveries: deliveries.length, firstDeliveryId: deliveries[0]?.deliveryId, fault },
      'not enqueued; the reconciler will',
    );
  }
}
