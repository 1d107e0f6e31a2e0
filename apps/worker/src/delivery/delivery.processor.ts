import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { AttemptService, Scheduler, Statistician } from '#libs/dispatch';
import { faultText, LOGGER, Metrics, Readiness, type Logger } from '#libs/observability';
import {
  ComeBackLater,
  DELIVERIES_QUEUE,
  DeliveryQueue,
  WORKER_OPTIONS,
  type DeliveryJobData,
} from '#libs/queue';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';

/** What a stop waits for deliveries that are being sent; what is left then is taken by others when its lease ends. */
const STOP_WITHIN_MS = 15_000;

/** Turns a job into one attempt. */
@Processor(DELIVERIES_QUEUE, WORKER_OPTIONS)
export class DeliveryProcessor
  extends WorkerHost
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private underWay = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly attempts: AttemptService,
    private readonly scheduler: Scheduler,
    private readonly queue: DeliveryQueue,
    private readonly statistician: Statistician,
    readiness: Readiness,
  ) {
    super();
    readiness.register('worker', () => {
      const consumes = this.running !== undefined && !this.stopping.signal.aborted;
      if (!consumes) return Promise.reject(new Error('it consumes no deliveries'));
      return queue.isReachable()
        ? Promise.resolve()
        : Promise.reject(new Error('the queue cannot be reached'));
    });
  }

  /** @throws ComeBackLater for the same job again later; anything else is a fault of ours and comes back too */
  async process(job: Job<DeliveryJobData>): Promise<void> {
    this.underWay += 1;
    const end = await this.attempts
      .attempt(job.data.deliveryId, this.stopping.signal)
      .catch((error: unknown) => {
        this.metrics.internalFaults.inc({ step: 'attempt' });
        this.logger.error(
          { deliveryId: job.data.deliveryId, fault: faultText(error) },
          'a fault of ours; the delivery comes back and no attempt is spent',
        );
        throw error;
      })
      .finally(() => (this.underWay -= 1));
    if (end.kind === 'comeBack') throw new ComeBackLater(end.delayMs);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.worker.on('error', (error) => this.logger.warn({ fault: error.message }, 'the queue is in trouble'));
    await this.queue.ready(this.worker);
    this.worker.concurrency = this.config.workerConcurrency;
    this.running = this.worker.run().catch((error: unknown) => {
      this.running = undefined;
      this.logger.error({ fault: String(error) }, 'the worker has stopped consuming');
    });
    this.scheduler.start();
    this.statistician.workerStarts(() => ({
      concurrency: this.config.workerConcurrency,
      sending: this.underWay,
    }));
  }

  /** Takes nothing new, lets what is in flight finish, and leaves the rest to others. */
  async beforeApplicationShutdown(): Promise<void> {
    // Paused, not closed: a close under way cannot be forced any more.
    const drained = Promise.all([this.scheduler.stop(), this.worker.pause()]).then(() => true);
    const inTime = await Promise.race([drained, delay(STOP_WITHIN_MS, false, { ref: false })]);
    this.stopping.abort();
    if (!inTime) this.logger.warn({}, 'stops with deliveries in flight; others take them over');
    await this.worker.close(!inTime);
    await this.statistician.workerStops();
  }
}
