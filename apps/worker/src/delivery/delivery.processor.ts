import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { PickUp, Scheduler, Statistician, StoppingError } from '#libs/dispatch';
import { faultText, LOGGER, Metrics, Readiness, type Logger } from '#libs/observability';
import { ComeBackLater, DeliveryQueue, type DeliveryJobData, type DeliveryWorkers } from '#libs/queue';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';

/** What a stop waits for deliveries that are being sent; what is left then is taken by others when its lease ends. */
const STOP_WITHIN_MS = 15_000;

/** Turns jobs into attempts, and stops in good order. */
@Injectable()
export class DeliveryProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly workers: DeliveryWorkers;
  private isStopping = false;
  private running: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly pickUp: PickUp,
    private readonly scheduler: Scheduler,
    queue: DeliveryQueue,
    private readonly statistician: Statistician,
    readiness: Readiness,
  ) {
    this.workers = queue.workers(
      (job) => this.process(job),
      (error) => this.logger.warn({ fault: error.message }, 'the queue is in trouble'),
    );
    readiness.register('worker', () => {
      const consumes = this.running !== undefined && !this.isStopping;
      if (!consumes) return Promise.reject(new Error('it consumes no deliveries'));
      return queue.isReachable()
        ? Promise.resolve()
        : Promise.reject(new Error('the queue cannot be reached'));
    });
  }

  /** @throws ComeBackLater for the same job again later; anything else is a fault of ours and comes back too */
  private async process({ deliveries }: DeliveryJobData): Promise<void> {
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

  async onApplicationBootstrap(): Promise<void> {
    await this.workers.ready();
    this.running = this.workers.run().catch((error: unknown) => {
      this.running = undefined;
      this.logger.error({ fault: String(error) }, 'the worker has stopped consuming');
    });
    this.scheduler.start();
    this.statistician.workerStarts(() => ({
      concurrency: this.config.workerConcurrency,
      sending: this.pickUp.inHand,
    }));
  }

  /** Takes nothing new, lets what is in flight finish, and leaves the rest to others. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.pickUp.stop();
    // Paused, not closed: a close under way cannot be forced any more.
    const drained = Promise.all([this.scheduler.stop(), this.workers.pause()])
      .then(() => this.pickUp.settled())
      .then(() => true);
    const inTime = await Promise.race([drained, delay(STOP_WITHIN_MS, false, { ref: false })]);
    this.pickUp.abandon();
    if (!inTime) this.logger.warn({}, 'stops with deliveries in flight; others take them over');
    await this.workers.close(!inTime);
    await this.statistician.workerStops();
  }
}
