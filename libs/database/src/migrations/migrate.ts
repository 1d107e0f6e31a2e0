import { sql, type Kysely } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../connection/connection.js';
import { ensurePartitions } from '../schema/partitions.js';
import type { DB as Tables } from '../schema/tables.js';
import { applyMigrations, type ApplyOptions } from './apply-migrations.js';
import { refuseNewerSchema } from './check-schema.js';
import { MIGRATIONS } from './migrations.js';
import type { Migrations } from './schema-migration.js';

const ASK_EVERY_MS = 200;

/**
 * Migrates a database to this version's schema, and creates the partitions of the coming weeks. A schema of a later version that this
 * one can use stays as it is. Any number of processes may do so at once: an advisory lock admits one at a time.
 * @returns the names of the migrations that this call applied
 * @throws MigrationError for the first that cannot be applied; SchemaMismatchError for a schema that is too new
 */
export async function migrateToLatest(
  url: string,
  options: ApplyOptions = {},
  migrations: Migrations = MIGRATIONS,
): Promise<string[]> {
  const db = openDatabase({ url, poolSize: 3, queryTimeoutMs: 0 });
  try {
    return await db.connection().execute((lock) =>
      underLock(lock, async () => {
        await refuseNewerSchema(db);
        const applied = await applyMigrations(db, migrations, options);
        await ensurePartitions(db, new Date());
        return applied;
      }),
    );
  } finally {
    await db.destroy();
  }
}

/**
 * Asks again and again: a statement that waits for the advisory lock has a snapshot, for which `create index concurrently` of the
 * process that holds the lock would wait for ever.
 */
async function underLock<T>(lock: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
  const tryLock = sql<{ locked: boolean }>`
    select pg_try_advisory_lock(hashtext('dispatcher.migrations')) as locked`;
  while ((await tryLock.execute(lock)).rows[0]?.locked !== true) await delay(ASK_EVERY_MS);
  try {
    return await work();
  } finally {
    await sql`select pg_advisory_unlock(hashtext('dispatcher.migrations'))`.execute(lock);
  }
}
