import { describe, expect, it } from 'vitest';
import { checkSchema, ensurePartitions, firstIdAt, openDatabase } from '#libs/database';
import { sql } from 'kysely';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { migrateToLatest } from '../../libs/database/src/migrations/migrate.js';
import { MIGRATIONS, NEWEST } from '../../libs/database/src/migrations/migrations.js';
import type { Migrations, SchemaMigration } from '../../libs/database/src/migrations/schema-migration.js';
import { fileDatabase } from '#test/support/file-database';
import { waitUntil } from '#test/support/wait-until';

const WEEK_MS = 7 * 24 * 3_600_000;

const { url: ownUrl, db } = await fileDatabase();

/** An empty database on the run's server, for migrations of a test's own. */
async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${uuidv7().replaceAll('-', '')}`;
  await sql`create database ${sql.id(name)}`.execute(db);
  const url = new URL(ownUrl);
  url.pathname = `/${name}`;
  try {
    await work(url.href);
  } finally {
    await sql`drop database ${sql.id(name)} with (force)`.execute(db);
  }
}

/** A database with the schema of version 0.1.0. */
const withReleased = (work: (url: string, client: Client) => Promise<void>): Promise<void> =>
  withDatabase(async (url) => {
    await migrateToLatest(url, {}, RELEASED);
    const client = await connect(url);
    try {
      await work(url, client);
    } finally {
      await client.end();
    }
  });

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const migration = (...texts: readonly string[]): SchemaMigration => ({
  async up(on) {
    for (const text of texts) await sql.raw(text).execute(on);
  },
});
const concurrent = (...texts: readonly string[]): SchemaMigration => ({
  isConcurrent: true,
  ...migration(...texts),
});

const [[firstName, first] = ['', migration()]] = Object.entries(MIGRATIONS);
const RELEASED: Migrations = { [firstName]: first };
const INDEX: Migrations = {
  ...RELEASED,
  '0002-index': concurrent(
    'drop index concurrently if exists late',
    'create index concurrently late on payments (payment_id)',
  ),
};
const IMPATIENT = { lockTimeoutMs: 1_000, pauseMs: 10, tries: 3 };

const isIndexBuilt = async (client: Client): Promise<unknown> =>
  (await client.query("select indisvalid from pg_index where indexrelid = to_regclass('late')")).rows[0];
const recorded = async (client: Client): Promise<unknown[]> =>
  (await client.query('select name from kysely_migration order by name')).rows.map(({ name }) => name);
/** Waits until a statement of another connection waits for a lock, or for the end of a transaction. */
const isWaiting = (client: Client, text: string): Promise<{ pid: number }> =>
  waitUntil(
    async () =>
      (
        await client.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
          [`${text}%`],
        )
      ).rows[0],
    { what: `"${text}" to wait`, everyMs: 20 },
  );

describe('migrateToLatest', () => {
  it('several processes that migrate an empty database at the same time apply each migration once', () =>
    withDatabase(async (url) => {
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrateToLatest(url)));
      const all = Object.keys(MIGRATIONS).length;
      expect(applied.map((names) => names.length).toSorted((a, b) => b - a)).toEqual([all, 0, 0, 0]);
    }));

  it('a migration that fails changes nothing, is not recorded, and is applied after the cause is removed', () =>
    withReleased(async (url, client) => {
      const failing = {
        ...RELEASED,
        '0002-failing': migration('create table kept (id int)', 'select 1 / 0'),
      };
      await expect(migrateToLatest(url, {}, failing)).rejects.toMatchObject({
        code: 'MIGRATION_FAILED',
        message: 'Migration 0002-failing: division by zero',
      });
      expect(await recorded(client)).toEqual([firstName]);
      expect(
        await migrateToLatest(url, {}, { ...failing, '0002-failing': migration('create table kept ()') }),
      ).toEqual(['0002-failing']);
    }));

  it('a migration that gets no lock lets others work between its tries, gives up with advice, and can be repeated', () =>
    withReleased(async (url, client) => {
      const other = await connect(url);
      const altering = { ...RELEASED, '0002-column': migration('alter table payments add column late text') };
      await client.query('begin; select from payments');
      const tries: unknown[] = [];
      const migrating = migrateToLatest(
        url,
        { patience: IMPATIENT, onLocked: (name, attempt) => tries.push(`${name} ${String(attempt)}`) },
        altering,
      );
      // Behind a request for a lock without a limit, it would wait for the end of the first transaction.
      const reading = isWaiting(other, 'alter table payments').then(() =>
        other.query('select from payments'),
      );
      await expect(migrating).rejects.toMatchObject({ code: 'MIGRATION_LOCKED' });
      await reading;
      expect(tries).toEqual(['0002-column 1', '0002-column 2']);
      await client.query('rollback');
      expect(await migrateToLatest(url, {}, altering)).toEqual(['0002-column']);
      await other.end();
    }));

  it('an index is built concurrently although another process waits to migrate, and is built again after an interruption', () =>
    withReleased(async (url, client) => {
      const writer = await connect(url);
      await writer.query('begin; lock payments in row exclusive mode');
      const interrupted = migrateToLatest(url, {}, INDEX).catch((error: unknown) => error);
      const { pid } = await isWaiting(client, 'create index concurrently');
      await client.query('select pg_terminate_backend($1)', [pid]);
      expect(await interrupted).toMatchObject({ code: 'MIGRATION_FAILED' });
      expect(await isIndexBuilt(client)).toEqual({ indisvalid: false });

      const migrating = [migrateToLatest(url, {}, INDEX), migrateToLatest(url, {}, INDEX)];
      await isWaiting(client, 'drop index concurrently');
      // Writers are not kept waiting.
      await client.query('begin; lock payments in row exclusive mode; commit');
      await writer.query('commit');
      expect((await Promise.all(migrating)).flat()).toEqual(['0002-index']);
      expect(await isIndexBuilt(client)).toEqual({ indisvalid: true });
      await writer.end();
    }));
});

describe('checkSchema', () => {
  const check = async (url: string): Promise<unknown> => {
    const own = openDatabase({ url, poolSize: 1 });
    try {
      return await checkSchema(own).catch((error: unknown) => error);
    } finally {
      await own.destroy();
    }
  };

  it('a process refuses an empty schema and that of 0.1.0, and accepts that of its own version and an expanded one', async () => {
    await withDatabase(async (url) => {
      expect(await check(url)).toMatchObject({ code: 'SCHEMA_TOO_OLD' });
    });
    await withReleased(async (url, client) => {
      expect(await check(url)).toMatchObject({
        code: 'SCHEMA_TOO_OLD',
        message: `The schema is empty, or of version 0.1.0, and this version needs migration ${NEWEST}.`,
      });
      await migrateToLatest(url);
      expect(await check(url)).toBeUndefined();
      await migrateToLatest(
        url,
        {},
        { ...MIGRATIONS, '9001-expanded': migration('alter table payments add z text') },
      );
      expect(await check(url)).toBeUndefined();
      expect(await migrateToLatest(url)).toEqual([]);
      await client.query("delete from kysely_migration where name > '0002'");
      expect(await check(url)).toMatchObject({ code: 'SCHEMA_TOO_OLD' });
    });
  });

  it('a process and a migration refuse a schema that a later version has contracted, and name that version', () =>
    withReleased(async (url) => {
      await migrateToLatest(url);
      const contract =
        "update schema_compatibility set oldest_migration = '9001-added', oldest_release = '1.1.0'";
      await migrateToLatest(
        url,
        {},
        { ...MIGRATIONS, '9001-added': migration(), '9002-contracted': migration(contract) },
      );
      const refusal = {
        code: 'SCHEMA_TOO_NEW',
        message: 'The schema is migrated up to 9002-contracted, and only version 1.1.0 or later can use it.',
      };
      expect(await check(url)).toMatchObject(refusal);
      await expect(migrateToLatest(url)).rejects.toMatchObject(refusal);
    }));
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
