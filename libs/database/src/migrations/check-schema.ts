import { sql } from 'kysely';
import type { Queryable } from '../connection/connection.js';
import { NEWEST } from './migrations.js';

/** The schema does not fit this version. The process ends with it and with advice (libs/config, `startAdvice`). */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError';

  constructor(
    readonly code: 'SCHEMA_TOO_OLD' | 'SCHEMA_TOO_NEW',
    message: string,
  ) {
    super(message);
  }
}

interface Compatibility {
  /** The newest applied migration. */
  readonly newest: string | null;
  readonly oldest_migration: string;
  readonly oldest_release: string;
}

/**
 * Checks that this version can use the schema: all of its migrations are applied, and no later contract migration has removed
 * what it uses. Migrations that it does not know are no fault.
 * @throws SchemaMismatchError otherwise
 */
export async function checkSchema(db: Queryable): Promise<void> {
  const found = await readCompatibility(db);
  if (found?.newest == null || found.newest < NEWEST) {
    const state =
      found === undefined ? 'empty, or of version 0.1.0' : `migrated up to ${String(found.newest)}`;
    throw new SchemaMismatchError(
      'SCHEMA_TOO_OLD',
      `The schema is ${state}, and this version needs migration ${NEWEST}.`,
    );
  }
  refuseTooNew(found);
}

/** @throws SchemaMismatchError when a later version has removed what this one uses */
export async function refuseNewerSchema(db: Queryable): Promise<void> {
  const found = await readCompatibility(db);
  if (found !== undefined) refuseTooNew(found);
}

function refuseTooNew({ newest, oldest_migration: oldest, oldest_release: release }: Compatibility): void {
  if (oldest <= NEWEST) return;
  throw new SchemaMismatchError(
    'SCHEMA_TOO_NEW',
    `The schema is migrated up to ${String(newest)}, and only version ${release} or later can use it.`,
  );
}

/** @returns undefined for an empty database and for the schema of version 0.1.0 */
async function readCompatibility(db: Queryable): Promise<Compatibility | undefined> {
  // A statement on a table that is missing would be an error in PostgreSQL's log.
  const table = await sql<{ exists: boolean }>`
    select to_regclass('schema_compatibility') is not null as exists`.execute(db);
  if (table.rows[0]?.exists !== true) return undefined;
  const { rows } = await sql<Compatibility>`
    select (select max(name collate "C") from kysely_migration) as newest, oldest_migration, oldest_release
    from schema_compatibility`.execute(db);
  return rows[0];
}
