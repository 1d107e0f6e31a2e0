import { replaceInModule } from '#test/chaos/planted/replace-in-module';

/** Planted fault, loaded before a worker's main file: a batch of records that PostgreSQL refuses fails as a whole. */
replaceInModule('/libs/database/src/connection/micro-batch.js', 'items.length > 1', 'false');
