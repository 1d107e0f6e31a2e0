import { recordAudit, type AuditEntry } from '../access/audit.js';
import type { Database } from '../connection.js';

/** An event's envelope as it is sent. The audit entry of the reading is committed first. undefined: no such event. */
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
