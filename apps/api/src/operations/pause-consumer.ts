import { DATABASE, pauseConsumer, reportByHand, type Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../access/audit-entry.js';

/** Stops sending to a consumer: nothing is sent from the next fetch on, and what is under way ends as it ends. */
@Injectable()
export class PauseConsumer {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** @throws NotFoundException */
  async execute(consumerId: string, reason: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'consumer.paused', target: `consumer:${consumerId}`, reason });
    if (!(await pauseConsumer(this.db, consumerId, reason, entry)))
      throw new NotFoundException('There is no such consumer.');
    reportByHand({ logger: this.logger, metrics: this.metrics }, 'paused', { consumerId });
  }
}
