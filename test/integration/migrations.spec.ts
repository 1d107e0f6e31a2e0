import { describe, expect, it } from 'vitest';
import { ensurePartitions, firstIdAt, migrateToLatest } from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { fileDatabase } from '#test/support/file-database';

const WEEK_MS = 7 * 24 * 3_600_000;

const { url: ownUrl, db } = await fileDatabase();

describe('migrateToLatest', () => {
  it('several processes that migrate an empty database at the same time apply each migration once', async () => {
    const name = `empty_${uuidv7().replaceAll('-', '')}`;
    await sql`create database ${sql.id(name)}`.execute(db);
    const url = new URL(ownUrl);
    url.pathname = `/${name}`;
    try {
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrateToLatest(url.href)));
      expect(applied.map((names) => names.length).toSorted((a, b) => b - a)).toEqual([1, 0, 0, 0]);
    } finally {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db);
    }
  });
});

describe('partitions', () => {
  const partitionOf = async (id: string): Promise<string | undefined> => {
    await sql`
      insert into deliveries (id, event_id, consumer_id, event_type, state, attempts, created_at, finished_at)
      values (${id}, ${id}, ${id}, 'ach.status', 'delivered', 1, now(), now())`.execute(db);
    const { rows } = await sql<{
      name: string;
    }>`select tableoid::regclass::text as name from deliveries where id = ${id}`.execute(db);
    return rows[0]?.name;
  };

  it('PostgreSQL stores a delivery in the weekly partition of its id’s time', async () => {
    const now = Date.now();
    const week = Math.floor(now / WEEK_MS);
    const name = (index: number): string =>
      `deliveries_${new Date(index * WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
    expect(await partitionOf(uuidv7({ msecs: now }))).toBe(name(week));
    expect(await partitionOf(uuidv7({ msecs: (week + 1) * WEEK_MS }))).toBe(name(week + 1));
    expect(await partitionOf(uuidv7({ msecs: week * WEEK_MS - 1 }))).toBe(name(week - 1));
  });

  it('several processes that request future partitions at the same time create each partition once', async () => {
    const later = new Date(Date.now() + 3 * WEEK_MS);
    const made = await Promise.all([
      ensurePartitions(db, later),
      ensurePartitions(db, later),
      ensurePartitions(db, later),
    ]);
    expect(made.map((names) => names.length).toSorted((a, b) => b - a)).toEqual([9, 0, 0]);
  });

  it('a partition starts at the smallest id of its first millisecond', () => {
    expect(firstIdAt(1_700_000_000_000)).toBe('018bcfe5-6800-0000-0000-000000000000');
    expect(uuidv7({ msecs: 1_700_000_000_000 }) > firstIdAt(1_700_000_000_000)).toBe(true);
    expect(uuidv7({ msecs: 1_699_999_999_999 }) < firstIdAt(1_700_000_000_000)).toBe(true);
  });

  it('a query by id reads only the partition of the id’s time', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select body from events where id = ${uuidv7()}`.execute(db);
    expect(
      rows
        .map((row) => row['QUERY PLAN'])
        .join('\n')
        .match(/events_\d{8}/g)?.length,
    ).toBe(2);
  });
});
