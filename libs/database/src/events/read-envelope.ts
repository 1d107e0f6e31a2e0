import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Database } from '../connection/connection.js';

/** Returns an event's envelope in full, after the audit entry is committed; undefined for an unknown event. */
export function readEnvelope(
  db: Database,
  notificationId: string,
  audit: AuditEntry,
): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    const event = await trx
      .selectFrom('events')
      .select('body')
      .where('id', '=', notificationId)
      .executeTakeFirst();
    if (event !== undefined) await recordAudit(trx, audit);
    return event?.body;
  });
}
