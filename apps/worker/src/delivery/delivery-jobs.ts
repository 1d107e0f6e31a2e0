import { PickUp, StoppingError } from '#libs/dispatch';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { ComeBackLater, type DeliveryJobData } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';

/** Turns jobs into attempts. */
@Injectable()
export class DeliveryJobs {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly pickUp: PickUp,
  ) {}

  /** @throws ComeBackLater for the same job again later; anything else is a fault of ours and comes back too */
  async process({ deliveries }: DeliveryJobData): Promise<void> {
    const end = await this.pickUp.pickUp(deliveries).catch((error: unknown) => {
      if (error instanceof StoppingError) throw error;
      this.metrics.internalFaults.inc({ step: 'take' });
      this.logger.error(
        {
          firstDeliveryId: deliveries[0]?.deliveryId,
          deliveries: deliveries.length,
          fault: faultText(error),
        },
        'a fault of ours; the job comes back and no attempt is spent',
      );
      throw error;
    });
    if (end.kind === 'comeBack') throw new ComeBackLater(end.delayMs);
  }
}
