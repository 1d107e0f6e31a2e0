import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Queryable } from '../connection/connection.js';

/** A channel's encrypted secrets as they are stored. */
export interface SealedChannel {
  readonly id: string;
  readonly name: string;
  readonly sealed: string;
}

/** The encrypted secrets of all channels that are not removed. */
export function everySealedChannel(db: Queryable): Promise<SealedChannel[]> {
  return db
    .selectFrom('channels')
    .select(['id', 'name', 'sealed'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Replaces a channel's secrets by the same ones encrypted anew, unless they have changed since. @returns whether it did */
export function replaceSealedChannel(
  db: Queryable,
  was: SealedChannel,
  sealed: string,
  audit: AuditEntry,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const replaced = await trx
      .updateTable('channels')
      .set({ sealed })
      .where('id', '=', was.id)
      .where('sealed', '=', was.sealed)
      .returning('id')
      .executeTakeFirst();
    if (replaced === undefined) return false;
    await recordAudit(trx, audit);
    return true;
  });
}
