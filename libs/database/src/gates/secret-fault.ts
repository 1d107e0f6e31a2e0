import { sql } from 'kysely';
import type { Database } from '../connection.js';
import { auditTransition, lockGates, type Transition } from './health.js';

/**
 * Puts a delivery back, on hold, since its consumer's credentials cannot be decrypted; the consumer's others follow
 * at their take. A fault of ours: no attempt is recorded. Fenced like **record**.
 * @param fault what to tell an operator; names no secret
 * @returns the transition, when this is the first to notice
 */
export async function holdForSecret(
  db: Database,
  taken: { readonly deliveryId: string; readonly consumerId: string; readonly lease: number },
  fault: string,
): Promise<Transition | undefined> {
  return db.transaction().execute(async (trx) => {
    const gate = (await lockGates(trx, [taken.consumerId])).get(taken.consumerId);
    await sql`
      update open_deliveries
      set state = 'held', hold_reason = 'secret', lease_until = null, probe = false,
          held_since = coalesce(held_since, now())
      where id = ${taken.deliveryId} and lease = ${taken.lease} and state = 'sending'`.execute(trx);
    if (gate === undefined || gate.secret_fault !== null) return undefined;
    await trx
      .updateTable('consumer_gates')
      .set({ secret_fault: fault, secret_fault_at: new Date() })
      .where('consumer_id', '=', taken.consumerId)
      .execute();
    const transition: Transition = { consumerId: taken.consumerId, kind: 'secret_fault', details: { fault } };
    await auditTransition(trx, transition);
    return transition;
  });
}

/** The consumers on hold for their credentials, or one if it is, with the version that is in force now. */
export async function secretFaults(
  db: Database,
  consumerId?: string,
): Promise<{ consumerId: string; version: number }[]> {
  const chosen = consumerId === undefined ? sql`true` : sql`g.consumer_id = ${consumerId}`;
  const { rows } = await sql<{ consumer_id: string; version: number }>`
    select g.consumer_id, v.version
    from consumer_gates g
    join consumers c on c.id = g.consumer_id and c.deleted_at is null
    cross join lateral (
      select version from consumer_credentials v
      where v.consumer_id = g.consumer_id and v.activate_at <= now()
      order by v.activate_at desc, v.version desc limit 1
    ) v
    where g.secret_fault is not null and ${chosen} order by g.consumer_id`.execute(db);
  return rows.map((row) => ({ consumerId: row.consumer_id, version: row.version }));
}

/** The credentials can be opened again; the time counts against no delivery. The caller then calls `topUp`. */
export async function mendSecretFault(db: Database, consumerId: string): Promise<Transition | undefined> {
  return db.transaction().execute(async (trx) => {
    const gate = (await lockGates(trx, [consumerId])).get(consumerId);
    if (gate === undefined || gate.secret_fault === null) return undefined;
    await sql`
      insert into standstills (consumer_id, cause, began_at, ended_at)
      select consumer_id, 'secret', secret_fault_at, greatest(now(), secret_fault_at) from consumer_gates
      where consumer_id = ${consumerId}`.execute(trx);
    await trx
      .updateTable('consumer_gates')
      .set({ secret_fault: null, secret_fault_at: null })
      .where('consumer_id', '=', consumerId)
      .execute();
    const transition: Transition = { consumerId, kind: 'secret_mended', details: {} };
    await auditTransition(trx, transition);
    return transition;
  });
}
