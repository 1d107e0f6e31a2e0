import {
  expirePending,
  SchedulesRepository,
  StatisticsWriter,
  type ClaimedRun,
  Database,
} from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

const EVERY_MS = 60_000;
/** Without a successful run for this long no worker was running; that time counts against no delivery. */
const OUTAGE_MS = 10 * 60_000;
const PAGE = 500;
const MOST_PAGES = 20;

/** Ends deliveries that have been pending for too long. */
@Injectable()
export class Expiry implements ScheduledWork {
  readonly name = 'expire';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly schedules: SchedulesRepository,
    private readonly queue: DispatchQueue,
    private readonly statisticsWriter: StatisticsWriter,
  ) {}

  async run({ lastSucceededAt }: ClaimedRun): Promise<void> {
    const now = new Date();
    if (lastSucceededAt !== null && now.getTime() - lastSucceededAt.getTime() > OUTAGE_MS) {
      await this.schedules.noteOutage(lastSucceededAt, now);
      this.logger.warn({ from: lastSucceededAt.toISOString() }, 'workers.outage_noted');
    }
    for (let page = 0, ended = 1; page < MOST_PAGES && ended > 0; page += 1) {
      const dead = await expirePending(this.db, now, PAGE);
      ended = dead.length;
      this.queue.enqueue([...new Set(dead.map(({ consumerId }) => consumerId))]);
      this.metrics.deliveriesFinished.inc({ state: 'dead' }, ended);
      for (const delivery of dead) {
        this.statisticsWriter.counters.died(delivery.consumerId);
        this.logger.warn(delivery, 'delivery.expired');
      }
    }
  }
}
