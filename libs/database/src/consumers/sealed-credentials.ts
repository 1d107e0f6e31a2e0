import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Queryable } from '../connection/connection.js';

const PAGE = 200;
const BEFORE_ALL = { consumerId: '00000000-0000-0000-0000-000000000000', version: 0 };

/** A version's encrypted credentials as they are stored, with their consumer. */
export interface SealedVersion {
  readonly consumerId: string;
  readonly consumerName: string;
  readonly version: number;
  readonly sealed: string;
  /** Whether deliveries are or will be sent with it: in force or coming, of a consumer that is not removed. */
  readonly isNeeded: boolean;
}

/**
 * Yields all versions of all consumers, also former ones and those of removed consumers, in the order of the primary
 * key. Reads them in short statements; a version that is added meanwhile may be missed.
 */
export async function* everySealed(db: Queryable): AsyncGenerator<SealedVersion> {
  let last: { readonly consumerId: string; readonly version: number } = BEFORE_ALL;
  for (;;) {
    const { rows } = await sql<SealedVersion>`
      select v.consumer_id as "consumerId", c.name as "consumerName", v.version, v.sealed,
             c.deleted_at is null and (v.activate_at > now() or v.version = (
               select f.version from consumer_credentials f
               where f.consumer_id = v.consumer_id and f.activate_at <= now()
               order by f.activate_at desc, f.version desc limit 1)) as "isNeeded"
      from consumer_credentials v join consumers c on c.id = v.consumer_id
      where (v.consumer_id, v.version) > (${last.consumerId}::uuid, ${last.version}::integer)
      order by v.consumer_id, v.version limit ${PAGE}::integer`.execute(db);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = end;
  }
}

/**
 * Replaces a version's credentials by the same ones encrypted anew, unless they have changed since they were read.
 * One row in one transaction: it waits for a cut-over that has locked the row, and delays no other work.
 * @returns whether it replaced them
 */
export async function replaceSealed(
  db: Queryable,
  was: Pick<SealedVersion, 'consumerId' | 'version' | 'sealed'>,
  sealed: string,
  audit: AuditEntry,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const replaced = await trx
      .updateTable('consumer_credentials')
      .set({ sealed })
      .where('consumer_id', '=', was.consumerId)
      .where('version', '=', was.version)
      .where('sealed', '=', was.sealed)
      .returning('version')
      .executeTakeFirst();
    if (replaced === undefined) return false;
    await recordAudit(trx, audit);
    return true;
  });
}
