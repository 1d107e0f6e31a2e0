import { LOGGER, Metrics, type Logger, type ReconciledKind } from '#libs/observability';
import { DeliveryQueue, type DeliveryToEnqueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';

/** Puts right what the schedules find wrong, and says how much of which kind it was. */
@Injectable()
export class Mending {
  constructor(
    private readonly queue: DeliveryQueue,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Gives deliveries that lack a job one. @throws QueueAwayError */
  async enqueue(kind: ReconciledKind, deliveries: readonly DeliveryToEnqueue[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.queue.enqueue(deliveries);
    this.count(kind, deliveries.length);
  }

  /** Tells of what was put right already. */
  count(kind: ReconciledKind, deliveries: number): void {
    if (deliveries === 0) return;
    this.metrics.reconciled.inc({ kind }, deliveries);
    this.logger.info({ kind, deliveries }, 'reconciled');
  }
}
