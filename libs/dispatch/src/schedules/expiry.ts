import { DATABASE, expireHeld, SchedulesRepository, type ClaimedRun, type Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { Enqueuer } from '../enqueuer.js';
import { Statistician } from '../statistics/statistician.js';
import type { ScheduledWork } from './scheduled-work.js';

const EVERY_MS = 60_000;
/** No run of this that ended well for so long: an outage of ours, which counts against no delivery. */
const OUTAGE_MS = 10 * 60_000;
const PAGE = 500;
const MOST_PAGES = 20;

/** Ends what has been held for too long. */
@Injectable()
export class Expiry implements ScheduledWork {
  readonly name = 'expire';
  readonly everyMs = EVERY_MS;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly schedules: SchedulesRepository,
    private readonly enqueuer: Enqueuer,
    private readonly statistician: Statistician,
  ) {}

  async run({ lastSucceededAt }: ClaimedRun): Promise<void> {
    const now = new Date();
    if (lastSucceededAt !== null && now.getTime() - lastSucceededAt.getTime() > OUTAGE_MS) {
      await this.schedules.noteOutage(lastSucceededAt, now);
      this.logger.warn(
        { from: lastSucceededAt.toISOString() },
        'nobody was at work; the time counts against no delivery',
      );
    }
    for (let page = 0, ended = PAGE; page < MOST_PAGES && ended === PAGE; page += 1) {
      const { dead, released } = await expireHeld(this.db, now, PAGE);
      this.enqueuer.enqueue(released);
      ended = dead.length;
      if (ended > 0) this.metrics.deliveriesFinished.inc({ state: 'dead' }, ended);
      for (const delivery of dead) {
        this.statistician.tally.died(delivery.consumerId);
        this.logger.warn(delivery, 'held too long without an attempt: dead');
      }
    }
  }
}
