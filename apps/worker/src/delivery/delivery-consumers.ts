import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { PickUp, Scheduler, Statistician } from '#libs/dispatch';
import { LOGGER, Readiness, type Logger } from '#libs/observability';
import { DeliveryQueue, DeliveryWorkers } from '#libs/queue';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ConsumptionWatch } from './consumption-watch.js';
import type { ShardConsumer } from './shard-consumer.js';

/** Injection token of the process's consumers, one for each shard. */
export const SHARD_CONSUMERS = Symbol('ShardConsumers');

/** What a stop waits for deliveries that are being sent; what is left then is taken by others when its lease ends. */
const STOP_WITHIN_MS = 15_000;

/** Starts the consumers of all shards when the process is ready, and stops them in good order. */
@Injectable()
export class DeliveryConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private workers: DeliveryWorkers | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly pickUp: PickUp,
    private readonly scheduler: Scheduler,
    private readonly queue: DeliveryQueue,
    @Inject(SHARD_CONSUMERS) private readonly consumers: readonly ShardConsumer[],
    private readonly statistician: Statistician,
    private readonly watch: ConsumptionWatch,
    readiness: Readiness,
  ) {
    readiness.register('worker', () => {
      const fault = watch.fault();
      return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const workers = this.queue.together(this.consumers.map(({ worker }) => worker));
    this.workers = workers;
    await workers.ready();
    workers
      .run()
      .catch((error: unknown) =>
        this.logger.error({ fault: String(error) }, 'the worker has stopped consuming'),
      );
    this.watch.start(workers);
    this.scheduler.start();
    this.statistician.workerStarts(() => ({
      concurrency: this.config.workerConcurrency,
      sending: this.pickUp.inHand,
    }));
  }

  /** Takes nothing new, lets what is in flight finish, and leaves the rest to others. */
  async beforeApplicationShutdown(): Promise<void> {
    this.watch.stop();
    this.pickUp.stop();
    // Paused, not closed: a close under way cannot be forced any more.
    const drained = Promise.all([this.scheduler.stop(), this.workers?.pause()])
      .then(() => this.pickUp.settled())
      .then(() => true);
    const inTime = await Promise.race([drained, delay(STOP_WITHIN_MS, false, { ref: false })]);
    this.pickUp.abandon();
    if (!inTime) this.logger.warn({}, 'stops with deliveries in flight; others take them over');
    await this.workers?.close(!inTime);
    await this.statistician.workerStops();
  }
}
