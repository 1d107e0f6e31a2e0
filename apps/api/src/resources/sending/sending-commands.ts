import { pauseSending, reportOperatorCommand, Database, consumersDue, resumeSending } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { DispatchQueue } from '#libs/queue';

/** Commands on sending to all consumers. */
@Injectable()
export class SendingCommands {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /**
   * Stops sending to all consumers; events are still accepted.
   * @returns when the pause of sending began
   */
  async pause(reason: string, actor: Actor): Promise<Date> {
    const entry = auditEntry(actor, { action: 'sending.paused', target: 'queue', reason });
    const pausedAt = await pauseSending(this.db, reason, entry);
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'paused', { target: 'queue' });
    return pausedAt;
  }

  /** Resumes sending; consumers that are paused individually stay paused. */
  async resume(reason: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'sending.resumed', target: 'queue', reason });
    await resumeSending(this.db, entry);
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'resumed', { target: 'queue' });
    this.queue.enqueue(await consumersDue(this.db));
  }
}
