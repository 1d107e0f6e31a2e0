import { sql } from 'kysely';
import type { SchemaMigration } from './schema-migration.js';

/**
 * A b-tree for the removal of lapsed idempotency keys. With BRIN it read half of the table: new keys take the room of removed ones, so
 * after a week each range of pages has an old and a new key.
 */
export const lapsedKeysIndex: SchemaMigration = {
  isConcurrent: true,
  async up(db) {
    await sql`drop index concurrently if exists idempotency_keys_lapsed`.execute(db);
    await sql`create index concurrently idempotency_keys_lapsed on idempotency_keys (created_at)`.execute(db);
    await sql`drop index concurrently if exists idempotency_keys_created_at`.execute(db);
  },
};
