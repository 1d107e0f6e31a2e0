import { pauseConsumer, reportOperatorCommand, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import type { PauseConsumerDto } from './pause-consumer.dto.js';

/** Stops sending to a consumer: nothing is sent from the next fetch on; attempts in flight are finished. */
@Injectable()
export class PauseConsumer {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** @throws NotFoundException */
  async execute(consumerId: string, { reason, until }: PauseConsumerDto, actor: Actor): Promise<void> {
    const end = until === undefined ? null : new Date(until);
    const entry = auditEntry(actor, {
      action: 'consumer.paused',
      target: `consumer:${consumerId}`,
      reason,
      ...(end === null ? {} : { details: { until: end.toISOString() } }),
    });
    if (!(await pauseConsumer(this.db, consumerId, reason, entry, end)))
      throw new NotFoundException('There is no such consumer.');
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'paused', { consumerId });
  }
}
