import { pauseSending, reportOperatorCommand, Database } from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';

/** Stops sending to all consumers; events are still accepted. */
@Injectable()
export class PauseSending {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** @returns when the pause of sending began */
  async execute(reason: string, actor: Actor): Promise<Date> {
    const entry = auditEntry(actor, { action: 'sending.paused', target: 'queue', reason });
    const pausedAt = await pauseSending(this.db, reason, entry);
    reportOperatorCommand({ logger: this.logger, metrics: this.metrics }, 'paused', { target: 'queue' });
    return pausedAt;
  }
}
