import { CONFIG, type Config } from '#libs/config';
import { DATABASE, leasesRunOut, type Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DeliveryQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

/** What a dead worker had in hand waits for no longer than this beyond its lease. */
const EVERY_MS = 2_000;
const MOST = 2_000;

/** Lets go anew what a worker had leased that died or stood still: its jobs ended when it took them. */
@Injectable()
export class LeaseWatch implements ScheduledWork {
  readonly name = 'leases';
  readonly everyMs: number;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DeliveryQueue,
  ) {
    this.everyMs = Math.min(EVERY_MS, config.reconcileIntervalMs);
  }

  async run(): Promise<void> {
    const lost = await leasesRunOut(this.db, MOST);
    if (lost.length === 0) return;
    await this.queue.enqueue(lost);
    this.metrics.reconciled.inc({ kind: 'lease' }, lost.length);
    this.logger.info({ kind: 'lease', deliveries: lost.length }, 'reconciled');
  }
}
