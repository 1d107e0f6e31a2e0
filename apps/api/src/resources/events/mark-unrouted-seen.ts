import { Database, markUnroutedSeen } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';

/** Marks unrouted events as seen; the overview counts only newer ones. */
@Injectable()
export class MarkUnroutedSeen {
  constructor(private readonly db: Database) {}

  execute(until: Date, actor: Actor): Promise<void> {
    const details = { until: until.toISOString() };
    return markUnroutedSeen(
      this.db,
      until,
      auditEntry(actor, { action: 'unrouted.seen', target: 'unrouted', details }),
    );
  }
}
