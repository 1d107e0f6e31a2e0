import { within } from '#libs/contracts';
import { StatisticsWriter } from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Scheduler } from '../maintenance/scheduler.js';
import { ConsumptionMonitor } from './consumption-monitor.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { Intake } from './intake.js';
import { Sessions } from '../session/sessions.service.js';

/** How long a stop waits for deliveries in flight; another worker sends the rest again. */
const STOP_WITHIN_MS = 15_000;

/** How long it waits for recurring work, which hangs while PostgreSQL does not answer; another worker repeats the rest. */
const SCHEDULER_STOPS_WITHIN_MS = 8_000;

/**
 * How long it then waits until the queue knows that the jobs have ended; if the queue is unreachable, another worker gets
 * them when their locks expire.
 */
const JOBS_END_WITHIN_MS = 2_000;

/** Starts to consume when the process is ready, and stops without losing results. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly processor: DeliveryProcessor,
    private readonly sessions: Sessions,
    private readonly scheduler: Scheduler,
    private readonly statisticsWriter: StatisticsWriter,
    private readonly monitor: ConsumptionMonitor,
    private readonly intake: Intake,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { worker } = this.processor;
    await this.processor.start();
    this.sessions.start();
    this.intake.start(worker);
    this.monitor.start(worker);
    this.scheduler.start();
    this.statisticsWriter.workerStarts(() => this.sessions.condition());
  }

  /** Fetches no more jobs, records deliveries in flight, and requeues the consumers for other workers. */
  async beforeApplicationShutdown(): Promise<void> {
    this.monitor.stop();
    this.intake.close();
    const { worker } = this.processor;
    const ended = Promise.all([
      this.sessions.stop(),
      within(SCHEDULER_STOPS_WITHIN_MS, this.scheduler.stop()),
      worker.pause(true),
    ]).then(() => true);
    const inTime = await within(STOP_WITHIN_MS, ended);
    this.intake.stop();
    this.sessions.abandon();
    if (inTime) await this.processor.ended(JOBS_END_WITHIN_MS);
    else this.logger.warn({}, 'worker.stopped_with_deliveries_in_flight');
    // Without force it would wait for ever for a connection that is down.
    await worker.close(true);
    await this.statisticsWriter.workerStops();
  }
}
