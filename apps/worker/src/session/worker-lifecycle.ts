import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { StatisticsWriter } from '#libs/database';
import { LOGGER, Readiness, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Scheduler } from '../maintenance/scheduler.js';
import { ConsumptionMonitor } from './consumption-monitor.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { Sessions } from './sessions.service.js';

/** What a stop waits for deliveries that are in flight; what is left then is sent again by another worker. */
const STOP_WITHIN_MS = 15_000;

/**
 * What a stop then waits for the queue to hear that the sessions have ended; a queue that is away gives them to another
 * worker when their locks run out.
 */
const QUEUE_TOLD_WITHIN_MS = 2_000;

/** Starts taking jobs when the process is ready, and stops in good order. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Resolves when no job is with this worker any more, and none is being taken. */
  private consuming: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly processor: DeliveryProcessor,
    private readonly sessions: Sessions,
    private readonly scheduler: Scheduler,
    private readonly queue: DispatchQueue,
    private readonly statisticsWriter: StatisticsWriter,
    private readonly watch: ConsumptionMonitor,
    readiness: Readiness,
  ) {
    readiness.register('worker', () => {
      const fault = watch.fault();
      return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { worker } = this.processor;
    worker.concurrency = this.config.workerConcurrency;
    this.queue.watch(worker);
    await this.queue.ready(worker);
    this.consuming = worker
      .run()
      .catch((error: unknown) =>
        this.logger.error({ fault: String(error) }, 'the worker has stopped taking jobs'),
      );
    this.sessions.start({ set: (concurrency) => (worker.concurrency = concurrency) });
    this.watch.start(worker);
    this.scheduler.start();
    this.statisticsWriter.workerStarts(() => this.sessions.condition());
  }

  /** Takes no job more, records what is in flight, and leaves the rest to others. */
  async beforeApplicationShutdown(): Promise<void> {
    this.watch.stop();
    const { worker } = this.processor;
    const ended = Promise.all([this.sessions.stop(), this.scheduler.stop(), worker.pause(true)]).then(
      () => true,
    );
    const inTime = await Promise.race([ended, delay(STOP_WITHIN_MS, false, { ref: false })]);
    this.sessions.abandon();
    if (inTime) await Promise.race([this.consuming, delay(QUEUE_TOLD_WITHIN_MS, undefined, { ref: false })]);
    else this.logger.warn({}, 'stops with deliveries in flight; another worker sends them again');
    // Without force it would wait for ever for a connection that is down.
    await worker.close(true);
    await this.statisticsWriter.workerStops();
  }
}
