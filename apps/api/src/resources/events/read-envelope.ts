import { readEnvelope, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { found } from '../../http/found.js';

/** Returns an event's envelope with account numbers in full, and records the caller in the audit log. */
@Injectable()
export class ReadEnvelope {
  constructor(private readonly db: Database) {}

  /** @throws NotFoundException */
  async execute(
    notificationId: string,
    reason: string | undefined,
    actor: Actor,
  ): Promise<Record<string, unknown>> {
    const target = `event:${notificationId}`;
    const audit = auditEntry(actor, { action: 'event.envelope-read', target, reason });
    const body = found(await readEnvelope(this.db, notificationId, audit), 'event');
    const envelope: Record<string, unknown> = JSON.parse(body);
    return envelope;
  }
}
