import { sql } from 'kysely';
import type { SchemaMigration } from './schema-migration.js';

/** Says which versions can use the schema. A contract migration updates the row; an expand migration does not. */
export const schemaCompatibility: SchemaMigration = {
  async up(db) {
    await sql`
      create table schema_compatibility (
        only_row boolean primary key default true check (only_row),
        oldest_migration text not null,
        oldest_release text not null
      )`.execute(db);
    await sql`insert into schema_compatibility (oldest_migration, oldest_release)
              values ('0001-schema', '0.1.0')`.execute(db);
    await sql`comment on table schema_compatibility is
      'One row: which versions can use the schema. Contract migrations update it.'`.execute(db);
    await sql`comment on column schema_compatibility.oldest_migration is
      'A version whose newest migration is older cannot use the schema any more.'`.execute(db);
    await sql`comment on column schema_compatibility.oldest_release is
      'The release with that migration, for people.'`.execute(db);
  },
};
