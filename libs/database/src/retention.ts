import { sql } from 'kysely';
import type { Database } from './connection.js';
import { isTransient } from './faults.js';
import { firstIdAt } from './partitions.js';

const DAY_MS = 86_400_000;

/** Whoever reads a partition for long keeps it from being dropped, and while we wait everybody waits: not for long. */
const LOCK_TIMEOUT = '200ms';

interface Partition {
  readonly name: string;
  readonly parent: string;
  /** The smallest id of its week. */
  readonly lower: string;
  /** The smallest id of the next. */
  readonly upper: string;
}

/**
 * Drops the weekly partitions that ended more than `days` ago, whole, the oldest first. A week to which anything open
 * belongs, or whose rows somebody reads, stays for now, and holds up no other. Of a week the events go first: a delivery whose
 * event is there has its attempts too, and may be opened again.
 * @returns the names of what was dropped
 */
export async function dropOldPartitions(db: Database, now: Date, days: number): Promise<string[]> {
  const horizon = firstIdAt(now.getTime() - days * DAY_MS);
  const { rows } = await sql<Partition>`
    select name, parent, lower, upper from (
      select c.relname as name, i.inhparent::regclass::text as parent,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([0-9a-f-]{36})''\\)') as lower,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([0-9a-f-]{36})''\\)') as upper
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (array['events', 'deliveries', 'attempts']::regclass[])
    ) p
    where upper::uuid <= ${horizon}::uuid
    order by upper, name desc`.execute(db);
  const dropped: string[] = [];
  for (const week of Map.groupBy(rows, ({ upper }) => upper).values()) {
    for (const partition of week) {
      if (!(await dropUnlessNeeded(db, partition))) break;
      dropped.push(partition.name);
    }
  }
  return dropped;
}

async function dropUnlessNeeded(db: Database, partition: Partition): Promise<boolean> {
  // A look without a lock: a week that stays for months makes nobody wait.
  if (await isOpen(db, partition)) return false;
  return db
    .transaction()
    .execute(async (trx) => {
      await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(trx);
      // Whoever opens a finished delivery again reads its event first: either he is seen, or he finds no event.
      await sql`lock table only ${sql.id(partition.parent)} in access exclusive mode`.execute(trx);
      if (await isOpen(trx, partition)) return false;
      await sql`drop table ${sql.id(partition.name)}`.execute(trx);
      return true;
    })
    .catch((error: unknown) => {
      if (isTransient(error)) return false;
      throw error;
    });
}

/** Whether a delivery of that week, or of an event of that week, is open. */
async function isOpen(db: Database, { lower, upper }: Partition): Promise<boolean> {
  const { rows } = await sql`
    (select from open_deliveries where id >= ${lower}::uuid and id < ${upper}::uuid limit 1)
    union all
    (select from open_deliveries where event_id >= ${lower}::uuid and event_id < ${upper}::uuid limit 1)`.execute(
    db,
  );
  return rows.length > 0;
}

/** Removes idempotency keys that have lapsed. @returns how many, at most `limit` */
export async function trimIdempotencyKeys(db: Database, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where ctid = any (array(
      select ctid from idempotency_keys where created_at < ${now}::timestamptz - interval '7 days' limit ${limit}::int for update skip locked
    )) returning 1`.execute(db);
  return rows.length;
}

/** Removes payments without news for `days` and without anything open. @returns how many, at most `limit` */
export async function trimPayments(db: Database, now: Date, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from payments where ctid = any (array(
      select p.ctid from payments p
      where p.updated_at < ${now}::timestamptz - make_interval(days => ${days}::int) and not exists (
        select from unnest(p.consumer_ids) c (id) join open_deliveries d
          on d.consumer_id = c.id and d.event_type = p.event_type and d.payment_id = p.payment_id
      )
      limit ${limit}::int for update skip locked
    )) returning 1`.execute(db);
  return rows.length;
}
