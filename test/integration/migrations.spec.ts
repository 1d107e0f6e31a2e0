import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePartitions, firstIdAt, migrateToLatest, openDatabase, type Database } from '#libs/database';
import { sql } from 'kysely';
import { firstTables } from '../../libs/database/src/migrations/0001-first-tables.js';
import { holds } from '../../libs/database/src/migrations/0002-holds.js';
import { auditAndCredentials } from '../../libs/database/src/migrations/0004-audit-and-credentials.js';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';

const WEEK_MS = 7 * 24 * 3_600_000;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolSize: 4 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

describe('migrateToLatest', () => {
  it('may be run by several processes at once on an empty database', async () => {
    const name = `empty_${uuidv7().replaceAll('-', '')}`;
    await sql`create database ${sql.id(name)}`.execute(db);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    try {
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrateToLatest(url.href)));
      expect(applied.map((names) => names.length).toSorted((a, b) => b - a)).toEqual([9, 0, 0, 0]);
    } finally {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db);
    }
  });
});

describe('the migration of audit log and credentials', () => {
  it('finds the consumers of failures that were recorded before, and the highest version given', async () => {
    const name = `old_${uuidv7().replaceAll('-', '')}`;
    await sql`create database ${sql.id(name)}`.execute(db);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const old = openDatabase({ url: url.href, poolSize: 1 });
    try {
      await firstTables.up(old);
      await holds.up(old);
      await ensurePartitions(old, new Date());
      const [consumer, finished, open] = [uuidv7(), uuidv7(), uuidv7()];
      await sql`
        insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments,
                               timestamp_unit, ordering, timeout_ms, max_concurrency)
        values (${consumer}, 'Acme', 'https://x.example/', '{}', '{}', '{}', false, 'seconds', 'none', 1, 1)`.execute(
        old,
      );
      await sql`
        insert into consumer_credentials (consumer_id, version, sealed, activate_at)
        values (${consumer}, 1, 'x', now()), (${consumer}, 2, 'x', now())`.execute(old);
      await sql`
        insert into deliveries (id, event_id, consumer_id, event_type, state, attempts, lease, round, created_at, finished_at)
        values (${finished}, ${finished}, ${consumer}, 'ach.status', 'delivered', 2, 2, 0, now(), now())`.execute(
        old,
      );
      await sql`
        insert into open_deliveries (id, event_id, consumer_id, event_type, state)
        values (${open}, ${open}, ${consumer}, 'ach.status', 'queued')`.execute(old);
      for (const [id, number, outcome] of [
        [finished, 1, 'timeout'],
        [finished, 2, 'acknowledged'],
        [open, 1, 'reset'],
      ] as const) {
        await sql`
          insert into attempts (delivery_id, number, started_at, duration_ms, outcome, detail, url, credential_version,
                                request_headers, response_truncated)
          values (${id}, ${number}, now(), 1, ${outcome}, '', 'https://x.example/', 1, '{}', false)`.execute(
          old,
        );
      }
      await auditAndCredentials.up(old);
      const { rows } = await sql`
        select outcome, failed_consumer_id = ${consumer} as found from attempts order by outcome`.execute(
        old,
      );
      expect(rows).toEqual([
        { outcome: 'acknowledged', found: null },
        { outcome: 'reset', found: true },
        { outcome: 'timeout', found: true },
      ]);
      expect((await sql`select last_credential_version from consumers`.execute(old)).rows).toEqual([
        { last_credential_version: 2 },
      ]);
    } finally {
      await old.destroy();
      await sql`drop database ${sql.id(name)} with (force)`.execute(db);
    }
  });
});

describe('partitions', () => {
  const partitionOf = async (id: string): Promise<string | undefined> => {
    await sql`
      insert into deliveries (id, event_id, consumer_id, event_type, state, attempts, lease, round, created_at, finished_at)
      values (${id}, ${id}, ${id}, 'ach.status', 'delivered', 1, 1, 0, now(), now())`.execute(db);
    const { rows } = await sql<{
      name: string;
    }>`select tableoid::regclass::text as name from deliveries where id = ${id}`.execute(db);
    return rows[0]?.name;
  };

  it('take a row by its id’s time, one partition a week', async () => {
    const now = Date.now();
    const week = Math.floor(now / WEEK_MS);
    const name = (index: number): string =>
      `deliveries_${new Date(index * WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
    expect(await partitionOf(uuidv7({ msecs: now }))).toBe(name(week));
    expect(await partitionOf(uuidv7({ msecs: (week + 1) * WEEK_MS }))).toBe(name(week + 1));
    expect(await partitionOf(uuidv7({ msecs: week * WEEK_MS - 1 }))).toBe(name(week - 1));
  });

  it('are made ahead, once, however many ask', async () => {
    const later = new Date(Date.now() + 3 * WEEK_MS);
    const made = await Promise.all([
      ensurePartitions(db, later),
      ensurePartitions(db, later),
      ensurePartitions(db, later),
    ]);
    expect(made.map((names) => names.length).toSorted((a, b) => b - a)).toEqual([9, 0, 0]);
  });

  it('begin at the smallest id of a millisecond', () => {
    expect(firstIdAt(1_700_000_000_000)).toBe('018bcfe5-6800-0000-0000-000000000000');
    expect(uuidv7({ msecs: 1_700_000_000_000 }) > firstIdAt(1_700_000_000_000)).toBe(true);
    expect(uuidv7({ msecs: 1_699_999_999_999 }) < firstIdAt(1_700_000_000_000)).toBe(true);
  });

  it('let one id find its partition without touching the others', async () => {
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
