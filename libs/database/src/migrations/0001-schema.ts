import { sql } from 'kysely';
import { DELIVERY_FUNCTIONS } from '../engine/delivery-functions.js';
import { ACCESS_TABLES } from '../schema/access.js';
import { SCHEMA_COMMENTS } from '../schema/comments.js';
import { ALERT_TABLES } from '../schema/alerts.js';
import { CONSUMER_TABLES } from '../schema/consumers.js';
import { DELIVERY_TABLES } from '../schema/deliveries.js';
import { EVENT_TABLES } from '../schema/events.js';
import { ISSUE_TABLES } from '../schema/issues.js';
import { OPERATION_TABLES } from '../schema/operations.js';
import { PENDING_STATE_VIEW } from '../schema/pending-state.js';
import type { SchemaMigration } from './schema-migration.js';

/**
 * The schema of version 0.1.0: docs/architecture.md, "Storage". History is partitioned by week over its UUIDv7 ids. What it executes is
 * frozen, and test/integration/migration-rules checks that: a change is a later migration, which may `create or replace` a function.
 */
export const firstSchema: SchemaMigration = {
  async up(db) {
    const statements = [
      // Some functions refer to tables that are created after them.
      'set local check_function_bodies = off',
      ...CONSUMER_TABLES,
      ...ACCESS_TABLES,
      ...OPERATION_TABLES,
      ...ISSUE_TABLES,
      ...ALERT_TABLES,
      ...EVENT_TABLES,
      ...DELIVERY_TABLES,
      PENDING_STATE_VIEW,
      ...DELIVERY_FUNCTIONS,
      ...SCHEMA_COMMENTS,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
