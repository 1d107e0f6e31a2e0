import { reportOperatorCommand, resumeConsumer, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';

/**
 * Resumes sending to a consumer, in order and within its limits. If its circuit is open, one probe is sent at once,
 * and the rest after it is acknowledged.
 */
@Injectable()
export class ResumeConsumer {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /** @throws NotFoundException */
  async execute(consumerId: string, reason: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'consumer.resumed', target: `consumer:${consumerId}`, reason });
    if (!(await resumeConsumer(this.db, consumerId, entry)))
      throw new NotFoundException('There is no such consumer.');
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'resumed', { consumerId });
    this.queue.enqueue([consumerId]);
  }
}
