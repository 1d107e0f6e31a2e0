import { sql } from 'kysely';
import type { Database, Queryable } from '../connection/connection.js';
import { isTransient } from '../connection/faults.js';
import { firstIdAt } from '../schema/partitions.js';

const DAY_MS = 86_400_000;

/** Maximum wait for a lock: dropping waits for readers of the partition, and new statements wait behind it. */
const LOCK_TIMEOUT = '200ms';

interface Partition {
  readonly name: string;
  readonly parent: string;
  /** The smallest id of the partition's week. */
  readonly lower: string;
  /** The smallest id of the next week. */
  readonly upper: string;
}

/**
 * Drops the weekly partitions that ended more than `days` ago, the oldest first. A week with a pending delivery, or whose
 * rows are being read, is kept until a later run and does not delay the others. The events of a week are dropped before
 * its deliveries and attempts: a delivery whose event exists can be sent again, and so needs its attempts.
 * @returns the names of the dropped partitions
 */
export async function dropOldPartitions(db: Database, now: Date, days: number): Promise<string[]> {
  const oldestKeptId = firstIdAt(now.getTime() - days * DAY_MS);
  const { rows } = await sql<Partition>`
    select name, parent, lower, upper from (
      select c.relname as name, i.inhparent::regclass::text as parent,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([0-9a-f-]{36})''\\)') as lower,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([0-9a-f-]{36})''\\)') as upper
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (array['events', 'deliveries', 'attempts']::regclass[])
    ) p
    where upper::uuid <= ${oldestKeptId}::uuid
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
  // Checked without a lock: a week that is kept for months delays no statement.
  if (await isNeeded(db, partition)) return false;
  return db
    .transaction()
    .execute(async (trx) => {
      await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(trx);
      // A replay reads the event first: either this check sees the replay's delivery, or the replay finds no event.
      await sql`lock table only ${sql.id(partition.parent)} in access exclusive mode`.execute(trx);
      if (await isNeeded(trx, partition)) return false;
      await sql`drop table ${sql.id(partition.name)}`.execute(trx);
      return true;
    })
    .catch((error: unknown) => {
      if (isTransient(error)) return false;
      throw error;
    });
}

/** A delivery's id is made right after its event's, so it may belong to the next week. */
const MADE_WITHIN_MS = 3_600_000;

/**
 * Whether a delivery of the week, or of an event of the week, is pending. The id of a delivery directly follows its
 * event's, except for deliveries that an operator added later; the event lists their ids.
 */
async function isNeeded(db: Queryable, { parent, lower, upper }: Partition): Promise<boolean> {
  const { rows } = await sql`
    select from pending_deliveries where id >= ${lower}::uuid and id < ${upper}::uuid limit 1`.execute(db);
  if (rows.length > 0 || parent !== 'events') return rows.length > 0;
  const { rows: later } = await sql`
    (select from pending_deliveries
     where id >= ${upper}::uuid and id < ${firstIdAt(msOf(upper) + MADE_WITHIN_MS)}::uuid
       and event_id >= ${lower}::uuid and event_id < ${upper}::uuid
     limit 1)
    union all
    (select from events e join pending_deliveries d on d.id = any (e.added_delivery_ids)
     where e.added_delivery_ids <> '{}' and e.id >= ${lower}::uuid and e.id < ${upper}::uuid
     limit 1)`.execute(db);
  return later.length > 0;
}

/** The time in a UUIDv7. */
const msOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Removes expired idempotency keys. @returns how many, at most `limit` */
export async function trimIdempotencyKeys(db: Database, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where ctid = any (array(
      select ctid from idempotency_keys where created_at < ${now}::timestamptz - interval '7 days' limit ${limit}::int for update skip locked
    )) returning 1`.execute(db);
  return rows.length;
}

/**
 * Removes payments without a new status for `days` and without pending deliveries.
 * @returns how many, at most `limit`
 */
export async function trimPayments(db: Database, now: Date, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from payments where ctid = any (array(
      select p.ctid from payments p
      where p.updated_at < ${now}::timestamptz - make_interval(days => ${days}::int) and not exists (
        select from unnest(p.consumer_ids) c (id) join pending_deliveries d
          on d.consumer_id = c.id and d.event_type = p.event_type and d.payment_id = p.payment_id
      )
      limit ${limit}::int for update skip locked
    )) returning 1`.execute(db);
  return rows.length;
}
