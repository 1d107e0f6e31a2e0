import type { Database } from '../connection.js';

/** Who did what to what, from where; `details` never hold a secret. */
export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly address: string | null;
  /** What the person gave as the reason, where one is asked for. */
  readonly reason?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes an entry in the transaction of what it tells of. */
export async function recordAudit(trx: Database, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({ ...entry, details: JSON.stringify(entry.details) })
    .execute();
}
