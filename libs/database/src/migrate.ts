import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { openDatabase, type Database } from './connection.js';
import { firstSchema } from './migrations/0001-schema.js';
import { ensurePartitions } from './partitions.js';
import type { DB as Tables } from './tables.js';

/** In order. A name never changes after its release. */
export const MIGRATIONS = {
  '0001-schema': firstSchema,
};

/**
 * Brings a database to the newest schema and makes the partitions ahead. Any number of processes may do so at
 * the same time: a session lock, taken before Kysely creates its own tables, lets one through at a time.
 * @returns the names of the migrations that this call applied
 * @throws what the failing migration threw; it has then been rolled back
 */
export async function migrateToLatest(url: string): Promise<string[]> {
  const db = openDatabase({ url, poolSize: 3, queryTimeoutMs: 0 });
  try {
    return await db.connection().execute((lock) => underLock(lock, db));
  } finally {
    await db.destroy();
  }
}

async function underLock(lock: Kysely<Tables>, db: Database): Promise<string[]> {
  await sql`select pg_advisory_lock(hashtext('dispatcher.migrations'))`.execute(lock);
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined)
      throw error instanceof Error ? error : new Error('a migration failed', { cause: error });
    await ensurePartitions(db, new Date());
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await sql`select pg_advisory_unlock(hashtext('dispatcher.migrations'))`.execute(lock);
  }
}
