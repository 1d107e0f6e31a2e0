import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { openDatabase, type Database } from '../connection/connection.js';
import { ensurePartitions } from '../schema/partitions.js';
import type { DB as Tables } from '../schema/tables.js';
import { firstSchema } from './0001-schema.js';

/** All migrations, in order. A name never changes after its release. */
const MIGRATIONS = {
  '0001-schema': firstSchema,
};

/**
 * Migrates a database to the newest schema, and creates the partitions of the coming weeks. Any number of processes
 * may do so at once: an advisory lock, acquired before Kysely creates its own tables, admits one at a time.
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
