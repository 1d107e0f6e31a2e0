import { HEALTHY } from '#libs/delivery';
import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../access/audit.js';
import { uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { auditTransition, lockGates, writeHealth, type Transition } from './health.js';

/**
 * Stops sending to a consumer: from the commit on, **take** puts its deliveries on hold; what is under way ends as it
 * ends. Pausing what is paused keeps since when it is, and takes the new reason.
 * @returns whether there is such a consumer
 */
export async function pauseConsumer(
  db: Database,
  id: string,
  reason: string,
  audit: AuditEntry,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('consumers')
      .set({ state: 'paused', paused_at: sql<Date>`coalesce(paused_at, now())`, pause_reason: reason })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await recordAudit(trx, audit);
    return true;
  });
}

/**
 * Sends to a consumer again: the pause is over and its circuit closed, whatever it was. The time counts against no
 * delivery. The caller then calls `topUp`.
 * @returns whether there is such a consumer
 */
export async function resumeConsumer(db: Database, id: string, audit: AuditEntry): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockGates(trx, [id]);
    await sql`
      insert into standstills (consumer_id, cause, began_at, ended_at)
      select id, 'paused', paused_at, now() from consumers
      where id = ${id} and paused_at is not null and deleted_at is null`.execute(trx);
    const row = await trx
      .updateTable('consumers')
      .set({ state: 'active', paused_at: null, pause_reason: null })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await writeHealth(trx, id, HEALTHY);
    await recordAudit(trx, audit);
    return true;
  });
}

/** The reason that stands at a pause which nobody asked for. */
export const PAUSED_BY_ANSWER = 'it answered 410 Gone';

/**
 * Pauses consumers that answered 410, in the transaction that puts what they answered it to on hold: between two
 * commits the reconciler would find it on hold at an open gate, and ask again.
 * @returns what happened: nothing for those that were paused already
 */
export async function pauseByAnswer(trx: Database, consumerIds: readonly string[]): Promise<Transition[]> {
  if (consumerIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    update consumers c set state = 'paused', paused_at = now(), pause_reason = ${PAUSED_BY_ANSWER}
    from (select id from consumers where id = any (${uuids(consumerIds, (id) => id)})
          order by id for no key update) locked
    where c.id = locked.id and c.state = 'active' and c.deleted_at is null
    returning c.id`.execute(trx);
  const transitions = rows.map(({ id }): Transition => ({
    consumerId: id,
    kind: 'paused_by_consumer',
    details: { httpStatus: 410 },
  }));
  for (const transition of transitions) await auditTransition(trx, transition);
  return transitions;
}

/** Stops sending to everybody; accepting goes on. */
export async function pauseDispatcher(db: Database, reason: string, audit: AuditEntry): Promise<Date> {
  return db.transaction().execute(async (trx) => {
    const { paused_at } = await trx
      .updateTable('dispatcher_state')
      .set({ paused_at: sql<Date>`coalesce(paused_at, now())`, pause_reason: reason })
      .returning('paused_at')
      .executeTakeFirstOrThrow();
    await recordAudit(trx, audit);
    return paused_at ?? new Date();
  });
}

/** Sends again to whoever is not paused on his own account. The caller then calls `topUp`. */
export async function resumeDispatcher(db: Database, audit: AuditEntry): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into standstills (consumer_id, cause, began_at, ended_at)
      select null, 'paused', paused_at, now() from dispatcher_state where paused_at is not null`.execute(trx);
    await trx.updateTable('dispatcher_state').set({ paused_at: null, pause_reason: null }).execute();
    await recordAudit(trx, audit);
  });
}
