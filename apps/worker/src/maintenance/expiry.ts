import {
  expirePending,
  SchedulesRepository,
  StatisticsWriter,
  type ClaimedRun,
  Database,
} from '#libs/database';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

const EVERY_MS = 60_000;
/** Without a run of any schedule for this long no worker was running; that time counts against no delivery. */
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

  async run({ claimedAt, lastFinishedAt }: ClaimedRun): Promise<{ fault: string | null }> {
    if (lastFinishedAt !== null && claimedAt.getTime() - lastFinishedAt.getTime() > OUTAGE_MS) {
      await this.schedules.noteOutage(lastFinishedAt, claimedAt);
      this.logger.warn({ from: lastFinishedAt.toISOString() }, 'workers.outage_noted');
    }
    const failed: string[] = [];
    for (let page = 0, found = 1; page < MOST_PAGES && found > 0; page += 1) {
      const { ended, refused } = await expirePending(this.db, claimedAt, PAGE, failed);
      found = ended.length + refused.length;
      this.queue.enqueue([...new Set(ended.map(({ consumerId }) => consumerId))]);
      this.metrics.deliveriesFinished.inc({ state: 'dead' }, ended.length);
      for (const delivery of ended) {
        this.statisticsWriter.counters.died(delivery.consumerId);
        this.logger.warn(delivery, 'delivery.expired');
      }
      for (const { deliveryId, consumerId, error } of refused) {
        failed.push(deliveryId);
        this.metrics.internalFaults.inc({ step: 'expire' });
        this.logger.warn({ deliveryId, consumerId, fault: faultText(error) }, 'delivery.not_expired');
      }
    }
    return { fault: failed.length === 0 ? null : notEnded(failed.length) };
  }
}

const notEnded = (count: number): string =>
  `${String(count)} ${count === 1 ? 'delivery' : 'deliveries'} could not be ended; see delivery.not_expired in the log`;
