import { sql, type QueryExecutorProvider } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../connection/connection.js';
import { codeOf } from '../connection/faults.js';
import type { Migrations, SchemaMigration } from './schema-migration.js';

/** How long a migration waits for the locks that it needs. */
export interface LockPatience {
  /**
   * For each lock. While it is awaited, everyone else waits behind it. It is longer than PostgreSQL's `deadlock_timeout`, after which an
   * autovacuum in the way is cancelled, and shorter than the time limits of accept, fetch and record.
   */
  readonly lockTimeoutMs: number;
  /** Between two tries: the work that waited meanwhile is done. */
  readonly pauseMs: number;
  readonly tries: number;
}

/** About five minutes. */
export const LOCK_PATIENCE: LockPatience = { lockTimeoutMs: 2_000, pauseMs: 3_000, tries: 60 };

export interface ApplyOptions {
  readonly patience?: LockPatience;
  /** Called before each pause. */
  readonly onLocked?: (migration: string, attempt: number, tries: number) => void;
}

/** A migration could not be applied. The former ones are kept, and the processes of the previous version work on. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly code: 'MIGRATION_FAILED' | 'MIGRATION_LOCKED',
    migration: string,
    cause: unknown,
  ) {
    super(`Migration ${migration}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Applies what is missing, each migration in a transaction of its own unless it is concurrent. Kysely's migrator has one transaction,
 * or none, for all of them, and refuses a schema that has migrations of a later version. The records are in its table.
 * @returns the names of the applied migrations
 * @throws MigrationError for the first that cannot be applied
 */
export async function applyMigrations(
  db: Database,
  migrations: Migrations,
  { patience = LOCK_PATIENCE, onLocked }: ApplyOptions = {},
): Promise<string[]> {
  await sql`create table if not exists kysely_migration
              (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  const missing = Object.entries(migrations).filter(([name]) => !done.has(name));
  for (const [name, migration] of missing) {
    for (let attempt = 1; !(await isApplied(db, name, migration, patience, attempt)); attempt += 1) {
      onLocked?.(name, attempt, patience.tries);
      await delay(patience.pauseMs);
    }
  }
  return missing.map(([name]) => name);
}

const LOCK_NOT_AVAILABLE = '55P03';

/** @returns false when a lock was not available; nothing has then changed */
async function isApplied(
  db: Database,
  name: string,
  migration: SchemaMigration,
  { lockTimeoutMs, tries }: LockPatience,
  attempt: number,
): Promise<boolean> {
  const step = async (connection: QueryExecutorProvider): Promise<void> => {
    await migration.up(connection);
    await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(connection);
  };
  try {
    if (migration.isConcurrent === true) await db.connection().execute(step);
    else
      await db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(trx);
        await step(trx);
      });
    return true;
  } catch (error) {
    const isLocked = codeOf(error) === LOCK_NOT_AVAILABLE;
    if (isLocked && attempt < tries) return false;
    throw new MigrationError(isLocked ? 'MIGRATION_LOCKED' : 'MIGRATION_FAILED', name, error);
  }
}
