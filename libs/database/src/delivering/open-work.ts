import { sql } from 'kysely';
import type { Database } from '../connection.js';

/** A delivery that should have a job in the queue. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly round: number;
  /** Microseconds since 1970, as text; the place of the delivery in `overdue`. */
  readonly dueAt: string;
}

interface Row {
  id: string;
  round: number;
  due_at: string;
}

const DUE = sql.raw(`id, round, (extract(epoch from next_attempt_at) * 1000000)::bigint::text as due_at`);

/**
 * The reconciler's questions. Each is answered from an index that holds only what is open, so that a sweep
 * costs what is wrong, not what was ever delivered.
 */

/**
 * Queued deliveries that are overdue by more than `graceMs`, oldest first: their job may be lost. `after` is the
 * last one of the page before.
 */
export async function overdue(
  db: Database,
  options: { graceMs: number; limit: number; after: DueDelivery | undefined },
): Promise<DueDelivery[]> {
  const { after } = options;
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(next_attempt_at, id) > ('epoch'::timestamptz + ${after.dueAt}::bigint * interval '1 microsecond', ${after.deliveryId}::uuid)`;
  const { rows } = await sql<Row>`
    select ${DUE} from open_deliveries
    where state = 'queued' and next_attempt_at < now() - ${options.graceMs}::int * interval '1 millisecond' and ${beyond}
    order by next_attempt_at, id limit ${options.limit}::int`.execute(db);
  return rows.map(toDue);
}

/** Deliveries whose worker died: the lease ran out. Their job may be lost with it; `take` accepts them as they are. */
export async function leasesRunOut(db: Database, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<Row>`
    select ${DUE} from open_deliveries
    where state = 'sending' and lease_until < now()
    order by lease_until limit ${limit}::int`.execute(db);
  return rows.map(toDue);
}

/** Releases deliveries held for order whose predecessor is gone; **record** does it, this is the net below it. */
export async function releaseOrphans(db: Database, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<Row>`
    with orphan as (
      select h.id from open_deliveries h
      where h.state = 'held' and h.hold_reason = 'order' and not exists (
        select from open_deliveries p
        where p.consumer_id = h.consumer_id and p.event_type = h.event_type and p.payment_id = h.payment_id
          and p.number < h.number
      )
      limit ${limit}::int for update of h skip locked
    )
    update open_deliveries d
    set state = 'queued', hold_reason = null, round = d.round + 1, next_attempt_at = now()
    from orphan where d.id = orphan.id
    returning d.id, d.round, '0' as due_at`.execute(db);
  return rows.map(toDue);
}

/**
 * Cancels what is open for consumers that were removed, also what was accepted during the removal: at most `limit`
 * rows, those that nobody holds, so that a backlog of millions is cleared in short steps.
 * @returns how many were cancelled
 */
export async function cancelOfRemovedConsumers(db: Database, limit: number): Promise<number> {
  const { rows } = await sql`
    with doomed as (
      select d.id from consumers c join open_deliveries d on d.consumer_id = c.id
      where c.deleted_at is not null
      limit ${limit}::int for update of d skip locked
    ),
    gone as (
      delete from open_deliveries d using doomed where d.id = doomed.id returning d.*
    )
    insert into deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, attempts, lease, round,
                            last_outcome, last_http_status, created_at, first_attempt_at, finished_at)
    select id, event_id, consumer_id, event_type, payment_id, number, 'cancelled', attempts, lease, round,
           last_outcome, last_http_status, created_at, first_attempt_at, now()
    from gone
    returning id`.execute(db);
  return rows.length;
}

/**
 * Runs `work` if no other process is doing so; a lock of a transaction, so that it ends with its holder.
 * @returns whether it ran
 */
export async function asTheOnlyOne(db: Database, name: string, work: () => Promise<void>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(${`dispatcher.${name}`})) as mine`.execute(trx);
    if (rows[0]?.mine !== true) return false;
    await work();
    return true;
  });
}

const toDue = (row: Row): DueDelivery => ({ deliveryId: row.id, round: row.round, dueAt: row.due_at });
