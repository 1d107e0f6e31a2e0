import { sql } from 'kysely';
import type { Database, Queryable } from '../connection/connection.js';
import { lockRuntime } from '../engine/health.js';
import { auditTransition, type Transition } from './transitions.js';

/**
 * Records that a consumer's credentials cannot be decrypted. Its deliveries are held until they can be. No attempt is
 * recorded, since the consumer is not the cause.
 * @param fault the cause, for an operator; contains no secret
 * @returns the transition, unless the fault was already recorded
 */
export async function noteSecretFault(
  db: Queryable,
  consumerId: string,
  fault: string,
): Promise<Transition | undefined> {
  return db.transaction().execute(async (trx) => {
    const runtime = (await lockRuntime(trx, [consumerId])).get(consumerId);
    if (runtime === undefined || runtime.secret_fault !== null) return undefined;
    await trx
      .updateTable('consumer_runtime')
      .set({ secret_fault: fault, secret_fault_at: sql<Date>`now()` })
      .where('consumer_id', '=', consumerId)
      .execute();
    const transition: Transition = { consumerId, kind: 'secret_fault', details: { fault } };
    await auditTransition(trx, transition);
    return transition;
  });
}

/** A consumer whose credentials could not be decrypted, and the version that is in force now. */
interface SecretFault {
  readonly consumerId: string;
  readonly version: number;
}

/** Finds the consumers whose credentials cannot be decrypted; with an id, only this one. */
async function secretFaults(db: Database, consumerId?: string): Promise<SecretFault[]> {
  const chosen = consumerId === undefined ? sql`true` : sql`r.consumer_id = ${consumerId}`;
  const { rows } = await sql<SecretFault>`
    select r.consumer_id as "consumerId", v.version
    from consumer_runtime r
    join consumers c on c.id = r.consumer_id and c.deleted_at is null
    cross join lateral (
      select version from consumer_credentials v
      where v.consumer_id = r.consumer_id and v.activate_at <= now()
      order by v.activate_at desc, v.version desc limit 1
    ) v
    where r.secret_fault is not null and ${chosen} order by r.consumer_id`.execute(db);
  return rows;
}

/**
 * Records that the credentials can be decrypted again; the time is excluded downtime.
 * @returns the transition; undefined if another process has recorded it already
 */
async function clearSecretFault(db: Database, consumerId: string): Promise<Transition | undefined> {
  return db.transaction().execute(async (trx) => {
    const runtime = (await lockRuntime(trx, [consumerId])).get(consumerId);
    if (runtime === undefined || runtime.secret_fault === null) return undefined;
    await sql`
      insert into excluded_downtime (consumer_id, cause, began_at, ended_at)
      select consumer_id, 'secret', secret_fault_at, greatest(now(), secret_fault_at) from consumer_runtime
      where consumer_id = ${consumerId}`.execute(trx);
    await trx
      .updateTable('consumer_runtime')
      .set({ secret_fault: null, secret_fault_at: null })
      .where('consumer_id', '=', consumerId)
      .execute();
    const transition: Transition = { consumerId, kind: 'secret_restored', details: {} };
    await auditTransition(trx, transition);
    return transition;
  });
}

/**
 * Tries again to decrypt the credentials of one or all consumers with such a fault. The caller then reports the
 * transitions and enqueues their consumers.
 * @param decrypt rejects if the credentials cannot be decrypted
 */
export async function clearSecretFaults(
  db: Database,
  decrypt: (consumerId: string, version: number) => Promise<unknown>,
  of?: string,
): Promise<Transition[]> {
  const cleared: Transition[] = [];
  for (const { consumerId, version } of await secretFaults(db, of)) {
    const opens = await decrypt(consumerId, version).then(
      () => true,
      () => false,
    );
    const transition = opens ? await clearSecretFault(db, consumerId) : undefined;
    if (transition !== undefined) cleared.push(transition);
  }
  return cleared;
}
