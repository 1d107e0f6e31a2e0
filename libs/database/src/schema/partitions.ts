import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { DB as Tables } from './tables.js';

const WEEK_MS = 7 * 24 * 3_600_000;
const PARTITIONED = ['events', 'deliveries', 'attempts'] as const;

/** The smallest UUIDv7 of a millisecond: the bound of a range over ids (RFC 9562, section 5.7). */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/**
 * Creates the missing weekly partitions, from the week before `now` (for a clock that is behind) to `weeksAhead`
 * weeks after it. Attaching, unlike `PARTITION OF`, takes no lock that reads or writes wait for. Safe to run anywhere
 * at any time; concurrent runs wait for each other.
 * @returns the names of the created partitions
 */
export async function ensurePartitions(db: Kysely<Tables>, now: Date, weeksAhead = 8): Promise<string[]> {
  const thisWeek = Math.floor(now.getTime() / WEEK_MS);
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('dispatcher.partitions'))`.execute(trx);
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (array['events', 'deliveries', 'attempts']::regclass[])`.execute(trx);
    const existing = new Set(rows.map((row) => row.name));
    const made: string[] = [];
    for (let week = thisWeek - 1; week <= thisWeek + weeksAhead; week += 1) {
      const day = new Date(week * WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '');
      for (const table of PARTITIONED) {
        const name = `${table}_${day}`;
        if (existing.has(name)) continue;
        await sql`create table ${sql.id(name)} (like ${sql.id(table)} including defaults including constraints)`.execute(
          trx,
        );
        await sql`alter table ${sql.id(table)} attach partition ${sql.id(name)}
          for values from (${sql.lit(firstIdAt(week * WEEK_MS))}) to (${sql.lit(firstIdAt((week + 1) * WEEK_MS))})`.execute(
          trx,
        );
        made.push(name);
      }
    }
    return made;
  });
}

/**
 * Maximum difference between a row's own time and the time in its id: clocks differ, and the transaction may wait for
 * locks.
 */
const SLACK_MS = 15 * 60_000;

/**
 * Conditions on a partitioned table's `id` that include all rows of a period, so that PostgreSQL reads only its
 * partitions. The caller adds the exact condition on the row's own time.
 */
export function idsAround(from: Date | undefined, to: Date | undefined): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (from !== undefined) conditions.push(sql`id >= ${firstIdAt(from.getTime() - SLACK_MS)}::uuid`);
  if (to !== undefined) conditions.push(sql`id < ${firstIdAt(to.getTime() + SLACK_MS)}::uuid`);
  return conditions;
}
