import { consumersDue, reportOperatorCommand, resumeSending, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';

/** Resumes sending; consumers that are paused individually stay paused. */
@Injectable()
export class ResumeSending {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  async execute(reason: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'sending.resumed', target: 'queue', reason });
    await resumeSending(this.db, entry);
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'resumed', { target: 'queue' });
    this.queue.enqueue(await consumersDue(this.db));
  }
}
