import type { Queryable } from '../connection/connection.js';

/** The actor of automatic actions in the audit log. */
export const DISPATCHER = 'dispatcher';

/** An entry of the audit log: actor, action, target and address. `details` never contain a secret. */
export interface AuditEntry {
  readonly actor: string;
  /** The actor's roles, as granted; absent for the dispatcher itself. */
  readonly role?: string;
  readonly action: string;
  readonly target: string;
  readonly address: string | null;
  /** The reason given by the person, for actions that require one. */
  readonly reason?: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Of a change: only the fields that differ, with their values before and after it. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Writes an entry in the transaction of the change that it records. */
export async function recordAudit(trx: Queryable, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      ...entry,
      details: JSON.stringify(entry.details),
      before: jsonOf(entry.before),
      after: jsonOf(entry.after),
    })
    .execute();
}

const jsonOf = (value: AuditEntry['before']): string | null =>
  value === undefined ? null : JSON.stringify(value);
