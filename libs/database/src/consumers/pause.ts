import type { AuditAction } from '#libs/contracts';
import { sql } from 'kysely';
import { DISPATCHER, recordAudit, type AuditEntry } from '../audit/audit.js';
import { uuids } from '../connection/columns.js';
import type { Database, Transaction } from '../connection/connection.js';
import { isTooSlow, isUnavailable } from '../connection/faults.js';
import { lockRuntime } from '../engine/health.js';
import { auditTransition, type Transition } from './transitions.js';

/**
 * Stops sending to a consumer from the next fetch on; attempts in flight are finished. A second pause keeps the
 * beginning of the first, and replaces reason and end.
 * @param until when the pause ends automatically; null: when an operator resumes the consumer
 * @returns whether there is such a consumer
 */
export async function pauseConsumer(
  db: Database,
  id: string,
  reason: string,
  audit: AuditEntry,
  until: Date | null = null,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('consumers')
      .set({
        state: 'paused',
        paused_at: sql<Date>`coalesce(paused_at, now())`,
        paused_until: until,
        pause_reason: reason,
      })
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
 * Ends a consumer's pause; its time is excluded downtime. An open circuit stays open, and one probe is due at once;
 * the rest is sent when it is acknowledged. The caller then enqueues the consumer.
 * @returns whether there is such a consumer
 */
export async function resumeConsumer(db: Database, id: string, audit: AuditEntry): Promise<boolean> {
  return db.transaction().execute((trx) => endPause(trx, id, audit));
}

/** @returns whether there is such a consumer; with `onlyIfOver`, whether it also has a pause whose end has passed */
async function endPause(
  trx: Transaction,
  id: string,
  audit: AuditEntry,
  { onlyIfOver = false } = {},
): Promise<boolean> {
  const runtime = (await lockRuntime(trx, [id])).get(id);
  const row = await trx
    .selectFrom('consumers')
    .select('paused_at')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(onlyIfOver, (query) => query.where('paused_until', '<=', sql<Date>`clock_timestamp()`))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.paused_at !== null)
    await trx
      .insertInto('excluded_downtime')
      .values({
        consumer_id: id,
        cause: 'paused',
        began_at: row.paused_at,
        ended_at: sql<Date>`greatest(now(), ${row.paused_at}::timestamptz)`,
      })
      .execute();
  await trx
    .updateTable('consumers')
    .set({ state: 'active', paused_at: null, paused_until: null, pause_reason: null })
    .where('id', '=', id)
    .execute();
  if (runtime?.circuit_opened_at != null) await probeNow(trx, id);
  await recordAudit(trx, audit);
  return true;
}

/** The result of ending pauses. */
interface EndedPauses {
  readonly resumed: readonly Transition[];
  /** Consumers whose pause PostgreSQL has refused to end, and why. They stay paused until a later run. */
  readonly refused: readonly { readonly consumerId: string; readonly error: unknown }[];
}

/**
 * Resumes every consumer whose pause has reached its end. A consumer that was resumed or paused again meanwhile is
 * not changed, and one that cannot be resumed delays no other. The caller then enqueues the resumed consumers.
 */
export async function resumeExpiredPauses(db: Database): Promise<EndedPauses> {
  const over = await db
    .selectFrom('consumers')
    .select(['id', 'paused_until'])
    .where('paused_until', '<=', sql<Date>`clock_timestamp()`)
    .where('deleted_at', 'is', null)
    .orderBy('paused_until')
    .execute();
  const resumed: Transition[] = [];
  const refused: { consumerId: string; error: unknown }[] = [];
  for (const { id, paused_until } of over) {
    const transition: Transition = {
      consumerId: id,
      kind: 'resumed',
      details: { pausedUntil: paused_until?.toISOString() },
    };
    const entry = {
      actor: DISPATCHER,
      action: 'consumer.resumed' satisfies AuditAction,
      target: `consumer:${id}`,
      address: null,
      reason: PAUSE_WAS_OVER,
      details: transition.details,
    };
    try {
      const isResumed = await db
        .transaction()
        .execute((trx) => endPause(trx, id, entry, { onlyIfOver: true }));
      if (isResumed) resumed.push(transition);
    } catch (error) {
      // Not thrown: the consumers before it are resumed, and have to be reported and enqueued.
      refused.push({ consumerId: id, error });
      if (isUnavailable(error) && !isTooSlow(error)) break;
    }
  }
  return { resumed, refused };
}

/** The reason in the audit log of an automatic resume. */
const PAUSE_WAS_OVER = 'The pause has reached its planned end.';

/** Makes the probe due, and one delivery for it: all deliveries may be waiting for a retry in some hours. */
async function probeNow(trx: Transaction, consumerId: string): Promise<void> {
  await sql`
    update consumer_runtime set next_probe_at = least(next_probe_at, now()) where consumer_id = ${consumerId}`.execute(
    trx,
  );
  await sql`
    update pending_deliveries d set next_attempt_at = now()
    from (
      select coalesce(first.id, later.id) as id
      from (
        -- Not one that is due already: it may be a request under way, and will be due much later when that has failed.
        select q.* from pending_deliveries q where q.consumer_id = ${consumerId} and q.next_attempt_at > now()
        order by q.consumer_id, q.next_attempt_at limit 100
      ) later
      -- The first pending status of its payment, if it has one: only that may go.
      left join lateral (
        select p.id, p.next_attempt_at from pending_deliveries p
        where p.payment_id = later.payment_id and p.event_type = later.event_type
          and p.consumer_id is not distinct from later.consumer_id
        order by p.payment_id, p.event_type, p.number limit 1
      ) first on true
      where coalesce(first.next_attempt_at, later.next_attempt_at) > now()
      order by later.next_attempt_at, later.id limit 1
    ) probe
    where d.id = any (array[probe.id])`.execute(trx);
}

/** The reason of an automatic pause. */
export const PAUSED_BY_ANSWER = 'it answered 410 Gone';

/**
 * Pauses consumers that answered 410, in the transaction that records the answer; otherwise a fetch between the two
 * would send again.
 * @returns the transitions; none for consumers that were paused already
 */
export async function pauseByAnswer(trx: Transaction, consumerIds: readonly string[]): Promise<Transition[]> {
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

/** Stops sending to all consumers; events are still accepted. @returns the beginning of the pause */
export async function pauseSending(db: Database, reason: string, audit: AuditEntry): Promise<Date> {
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

/**
 * Resumes sending; consumers that are paused individually stay paused. The time is excluded downtime. The caller then
 * enqueues the consumers with due deliveries.
 */
export async function resumeSending(db: Database, audit: AuditEntry): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into excluded_downtime (consumer_id, cause, began_at, ended_at)
      select null, 'paused', paused_at, now() from dispatcher_state where paused_at is not null`.execute(trx);
    await trx.updateTable('dispatcher_state').set({ paused_at: null, pause_reason: null }).execute();
    await recordAudit(trx, audit);
  });
}
