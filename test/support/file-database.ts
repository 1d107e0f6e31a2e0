import {
  openDatabase,
  openReading,
  Pipeline,
  PIPELINE_SETTINGS,
  type Database,
  type ReadingDatabase,
} from '#libs/database';
import { afterFile } from '#test/support/after-file';
import { createTestDatabase } from '#test/support/test-database';

/** A test file's own database, with a pool of each kind. */
export interface FileDatabase {
  readonly url: string;
  readonly db: Database;
  readonly reading: ReadingDatabase;
  readonly pipeline: Pipeline;
}

/** Creates a migrated, empty database for the current test file; it is dropped after the file's last test. */
export async function fileDatabase(
  options: { readonly queryTimeoutMs?: number } = {},
): Promise<FileDatabase> {
  const database = await createTestDatabase();
  const { url } = database;
  const db = openDatabase({ url, poolSize: 12, ...options });
  const reading = openReading({ url, poolSize: 4 });
  const pipeline = new Pipeline({ url, poolSize: 6, settings: PIPELINE_SETTINGS });
  afterFile(async () => {
    await Promise.all([db.destroy(), reading.destroy(), pipeline.close()]);
    await database.drop();
  });
  return { url, db, reading, pipeline };
}
