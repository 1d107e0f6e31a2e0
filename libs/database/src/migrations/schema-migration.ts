import type { QueryExecutorProvider } from 'kysely';

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
