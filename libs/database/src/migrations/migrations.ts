import type { QueryExecutorProvider } from 'kysely';
import { firstSchema } from './0001-schema.js';
import { schemaCompatibility } from './0002-schema-compatibility.js';
import { lapsedKeysIndex } from './0003-lapsed-keys-index.js';

/** One step forward. docs/upgrading.md has the rules: the processes of the previous release work meanwhile. */
export interface SchemaMigration {
  /**
   * Only `… concurrently` statements, which need no transaction and never keep others waiting. After an interruption all of them are
   * executed again, so each `create index concurrently` follows a `drop index concurrently if exists`.
   */
  readonly isConcurrent?: true;
  /** Executes templates of `sql` only: the types of the tables are those of the newest schema. */
  up(db: QueryExecutorProvider): Promise<void>;
}

export type Migrations = Readonly<Record<string, SchemaMigration>>;

/** All migrations, in order. After its release, neither a name nor what it executes changes. */
export const MIGRATIONS: Migrations = {
  '0001-schema': firstSchema,
  '0002-schema-compatibility': schemaCompatibility,
  '0003-lapsed-keys-index': lapsedKeysIndex,
};

/** The newest migration of this version. Its code works with the schema that this one and all before it make. */
export const NEWEST = Object.keys(MIGRATIONS).at(-1) ?? '';
