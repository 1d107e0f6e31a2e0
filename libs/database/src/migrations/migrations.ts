import { firstSchema } from './0001-schema.js';
import { schemaCompatibility } from './0002-schema-compatibility.js';
import { lapsedKeysIndex } from './0003-lapsed-keys-index.js';
import type { Migrations } from './schema-migration.js';

/** All migrations, in order. After its release, neither a name nor what it executes changes. */
export const MIGRATIONS: Migrations = {
  '0001-schema': firstSchema,
  '0002-schema-compatibility': schemaCompatibility,
  '0003-lapsed-keys-index': lapsedKeysIndex,
};

/** The newest migration of this version. Its code works with the schema that this one and all before it make. */
export const NEWEST = Object.keys(MIGRATIONS).at(-1) ?? '';
