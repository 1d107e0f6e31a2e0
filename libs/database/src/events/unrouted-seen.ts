import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Database } from '../connection/connection.js';

/** Marks unrouted events accepted before this instant as seen, with the audit entry; never fewer than before. */
export async function markUnroutedSeen(db: Database, until: Date, audit: AuditEntry): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Not in the future: later events would never be shown as new.
    await sql`
      update dispatcher_state set unrouted_seen_until = greatest(unrouted_seen_until, least(${until}, now()))`.execute(
      trx,
    );
    await recordAudit(trx, audit);
  });
}
